#pragma once

#include <string>
#include <variant>
#include <vector>

#include <genera/linear.hpp>
#include <genera/model.hpp>

namespace genera {

/// A fitted classifier: a joint distribution, or a linear model without a density.
using Classifier = std::variant<Model, LinearModel>;

/// A reference to either; the classifier must outlive it.
class ClassifierRef {
 public:
  ClassifierRef(const Model& model) : to_(&model) {}        // NOLINT(google-explicit-constructor)
  ClassifierRef(const LinearModel& model) : to_(&model) {}  // NOLINT(google-explicit-constructor)
  ClassifierRef(const Classifier& classifier)               // NOLINT(google-explicit-constructor)
      : to_(std::visit([](const auto& model) { return Pointer(&model); }, classifier)) {}

  /// The joint distribution, or null.
  [[nodiscard]] const Model* model() const { return pointer_to<Model>(); }
  /// The linear model, or null.
  [[nodiscard]] const LinearModel* linear() const { return pointer_to<LinearModel>(); }

  /// Calls `f` with the referenced object.
  template <class F>
  decltype(auto) visit(F&& f) const {
    return std::visit([&](const auto* known) -> decltype(auto) { return f(*known); }, to_);
  }

  [[nodiscard]] const std::vector<std::string>& classes() const {
    return visit([](const auto& m) -> const std::vector<std::string>& { return m.classes(); });
  }
  [[nodiscard]] const Prior& prior() const {
    return visit([](const auto& m) -> const Prior& { return m.prior(); });
  }
  [[nodiscard]] const std::vector<Column>& features() const {
    return visit([](const auto& m) -> const std::vector<Column>& { return m.features(); });
  }
  [[nodiscard]] const std::string& target() const {
    return visit([](const auto& m) -> const std::string& { return m.target(); });
  }
  [[nodiscard]] LabelType label_type() const {
    return visit([](const auto& m) { return m.label_type(); });
  }
  [[nodiscard]] const Origin& origin() const {
    return visit([](const auto& m) -> const Origin& { return m.origin(); });
  }
  [[nodiscard]] const std::vector<std::string>& notes() const {
    return visit([](const auto& m) -> const std::vector<std::string>& { return m.notes(); });
  }
  [[nodiscard]] double temperature() const {
    return visit([](const auto& m) { return m.temperature(); });
  }
  /// How text columns become terms.
  [[nodiscard]] TextOptions text_options() const {
    return visit([](const auto& m) { return m.text_options(); });
  }
  /// An independent copy.
  [[nodiscard]] Classifier copy() const {
    return visit([](const auto& m) { return Classifier(m); });
  }

 private:
  using Pointer = std::variant<const Model*, const LinearModel*>;

  template <class M>
  [[nodiscard]] const M* pointer_to() const {
    const auto* const* found = std::get_if<const M*>(&to_);
    return found ? *found : nullptr;
  }

  Pointer to_;
};

}  // namespace genera
