#pragma once

#include <optional>
#include <span>

#include <genera/curves.hpp>

#include "evaluate/training_samples.hpp"

/// What becomes of one model in one split: how it is learned, and what its answers are worth.
namespace genera::curves_detail {

/// A classifier, or the prior alone where no feature varies.
struct Learned {
  std::optional<Classifier> model{};
  Prior prior;
  Report report{};
  std::optional<double> ridge{};
};

/// The recipe with what learning curves decide: singular covariances are moved.
[[nodiscard]] AnyRecipe for_small_samples(AnyRecipe recipe);

/// Softmax regression with another ridge; null: it is none.
[[nodiscard]] const LogisticOptions* softmax_of(const AnyRecipe& recipe);
/// How a ridge is sought: `select` are the folds.
struct RidgeSearch {
  const Vector& ridges;
  SelectOptions select;
};
[[nodiscard]] double best_ridge(const Rows& sample, const LogisticOptions& softmax,
                                const RidgeSearch& search, const Control& control);

/// From the rows of a sample, or from their statistics if there are any.
[[nodiscard]] Learned learned(const Rows& sample, const AnyRecipe& recipe, const Statistics* sums,
                              const Control& control = {});

/// Means over rows.
struct Worth {
  double error = 0;
  double conditional = 0;  ///< of log p(y | x)
  double joint = 0;        ///< of log p(x, y); of a linear model nothing
};
/// Of the answers about rows `which` of all rows of the population, which `rows` are.
[[nodiscard]] Worth worth_of(const Learned& learned, const Rows& rows, const Population& population,
                             std::span<const Index> which);

[[nodiscard]] Index free_parameters(const Learned& learned);

}  // namespace genera::curves_detail
