#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <genera/committee.hpp>
#include <genera/linear.hpp>
#include <genera/model.hpp>

namespace genera {

/// A fitted classifier: a joint distribution, a linear model without a density, or a committee of
/// both.
using Classifier = std::variant<Model, LinearModel, Committee>;

/// A reference to one of them; the classifier must outlive it.
class ClassifierRef {
 public:
  // NOLINTBEGIN(google-explicit-constructor)
  ClassifierRef(const Model& model) : to_(&model) {}
  ClassifierRef(const LinearModel& model) : to_(&model) {}
  ClassifierRef(const Committee& committee) : to_(&committee) {}
  ClassifierRef(const Classifier& classifier) : to_(pointer_of(classifier)) {}
  ClassifierRef(const Committee::Member& member) : to_(pointer_of(member.model)) {}
  // NOLINTEND(google-explicit-constructor)

  /// The joint distribution, or null.
  [[nodiscard]] const Model* model() const { return pointer_to<Model>(); }
  /// The linear model, or null.
  [[nodiscard]] const LinearModel* linear() const { return pointer_to<LinearModel>(); }
  /// The committee, or null.
  [[nodiscard]] const Committee* committee() const { return pointer_to<Committee>(); }
  /// True if p(x) is known: a joint distribution, or a committee with one.
  [[nodiscard]] bool has_density() const {
    return model() || (committee() && committee()->has_density());
  }

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
  using Pointer = std::variant<const Model*, const LinearModel*, const Committee*>;

  template <class Variant>
  [[nodiscard]] static Pointer pointer_of(const Variant& classifier) {
    return std::visit([](const auto& model) { return Pointer(&model); }, classifier);
  }
  template <class M>
  [[nodiscard]] const M* pointer_to() const {
    const auto* const* found = std::get_if<const M*>(&to_);
    return found ? *found : nullptr;
  }

  Pointer to_;
};

/// A reference to a classifier with a density: a joint distribution, or a committee with one. It
/// must outlive the reference.
class JointRef {
 public:
  JointRef(const Model& model) : model_(&model) {}  // NOLINT(google-explicit-constructor)
  /// Throws Error (bad_model) if no member has a density.
  JointRef(const Committee& committee);  // NOLINT(google-explicit-constructor)
  /// Empty if the classifier has no density.
  [[nodiscard]] static std::optional<JointRef> of(ClassifierRef classifier);

  /// The joint distribution, or null.
  [[nodiscard]] const Model* model() const { return model_; }
  /// The committee, or null.
  [[nodiscard]] const Committee* committee() const { return committee_; }
  operator ClassifierRef() const {  // NOLINT(google-explicit-constructor)
    return model_ ? ClassifierRef(*model_) : ClassifierRef(*committee_);
  }

 private:
  const Model* model_ = nullptr;
  const Committee* committee_ = nullptr;
};

}  // namespace genera
