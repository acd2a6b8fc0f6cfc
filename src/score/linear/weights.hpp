#pragma once

#include <memory>
#include <span>
#include <vector>

#include <genera/linear.hpp>
#include <genera/names.hpp>

namespace genera::detail {

[[nodiscard]] std::span<const LinearFeatures> parts_of(const LinearModel::Parameters& parameters);

/// Coefficients of a linear model in the layout used for scoring: the K coefficients of a feature
/// are contiguous.
class LinearWeights {
 public:
  LinearWeights(const LinearModel::Parameters& parameters, std::size_t classes, int threads);

  [[nodiscard]] Index classes() const { return std::ssize(intercepts_); }
  [[nodiscard]] Index features() const { return first_.back(); }
  [[nodiscard]] const Vector& intercepts() const { return intercepts_; }

  /// Names of the features of a part.
  [[nodiscard]] const NameSet& names(std::size_t part) const { return names_[part]; }
  [[nodiscard]] Index first(std::size_t part) const { return first_[part]; }
  /// The K coefficients of a feature.
  [[nodiscard]] std::span<const double> of(Index feature) const {
    const auto classes = intercepts_.size();
    return {weights_.get() + static_cast<std::size_t>(feature) * classes, classes};
  }

 private:
  void weigh(const ComplementParameters& parameters, Index begin, Index end);
  void weigh(const LogisticParameters& parameters, Index begin, Index end);

  Vector intercepts_;
  std::vector<NameSet> names_;
  std::vector<Index> first_;           // first feature of each part, and the total number
  std::unique_ptr<double[]> weights_;  // p x K
};

}  // namespace genera::detail
