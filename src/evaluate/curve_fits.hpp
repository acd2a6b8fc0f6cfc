#pragma once

#include <optional>
#include <span>

#include <genera/curves.hpp>

#include "evaluate/training_samples.hpp"

/// One model in one split: how it is fitted, and the quality of its answers.
namespace genera::curves_detail {

/// A classifier, or only the prior if no feature varies.
struct Learned {
  std::optional<Classifier> model{};
  Prior prior;
  Report report{};
  std::optional<double> ridge{};
};

/// The recipe with OnSingular::shrink, as learning curves require.
[[nodiscard]] AnyRecipe for_small_samples(AnyRecipe recipe);

/// The options of softmax regression; null for other models.
[[nodiscard]] const LogisticOptions* softmax_of(const AnyRecipe& recipe);
/// Search for a ridge; `select` has the folds.
struct RidgeSearch {
  const Vector& ridges;
  SelectOptions select;
};
[[nodiscard]] double best_ridge(const Rows& sample, const LogisticOptions& softmax,
                                const RidgeSearch& search, const Control& control);

/// Fits the rows of a sample, or their statistics if available.
[[nodiscard]] Learned learned(const Rows& sample, const AnyRecipe& recipe, const Statistics* sums,
                              const Control& control = {});

/// Means over rows.
struct Worth {
  double error = 0;
  double conditional = 0;  ///< log p(y | x)
  double joint = 0;        ///< log p(x, y); 0 for a linear model
};
/// Quality of the answers for rows `which` of the population, whose rows are `rows`.
[[nodiscard]] Worth worth_of(const Learned& learned, const Rows& rows, const Population& population,
                             std::span<const Index> which);

[[nodiscard]] Index free_parameters(const Learned& learned);

}  // namespace genera::curves_detail
