#pragma once

#include <optional>

#include <genera/classifier.hpp>
#include <genera/control.hpp>
#include <genera/recipe.hpp>
#include <genera/report.hpp>

namespace genera {

/// Sums of w ||D^-1 (x - mean_k)||^4 for each class, which Ledoit-Wolf shrinkage needs in addition
/// to the statistics.
using FourthMoments = Vector;

struct EstimateOptions {
  std::optional<FourthMoments> fourth{};  ///< only for Shrinkage::Kind::lw
};

/// Estimates a model from statistics in closed form. Throws Error (bad_model) for a singular
/// covariance, with class, rank and columns.
[[nodiscard]] Fitted<Model> estimate(const Statistics& statistics, const Recipe& recipe,
                                     const EstimateOptions& options = {},
                                     const Control& control = {});

/// Throws Error (bad_argument) for softmax regression, which needs the rows.
[[nodiscard]] Fitted<LinearModel> estimate(const Statistics& statistics, const LinearRecipe& recipe,
                                           const Control& control = {});
[[nodiscard]] Fitted<Classifier> estimate(const Statistics& statistics, const AnyRecipe& recipe,
                                          const Control& control = {});

struct FitOptions {
  Missing missing = Missing::em;
  /// Weight of rows without a label in EM. If empty, `fit` leaves such rows out, with a note;
  /// fit_auto and fit_weighing_unlabelled choose the weight by held-out rows.
  std::optional<double> unlabelled_weight{};

  [[nodiscard]] bool uses_unlabelled() const {
    return missing == Missing::em && unlabelled_weight.value_or(0) > 0;
  }
};
/// Throws Error (bad_argument) on a value out of range.
void validate(const FitOptions& options);

/// Fits a model to rows. Notes about the fit are in the report and in the model. If numbers are
/// missing, or rows without a label have a weight, the fit is maximum likelihood by EM under
/// missing-at-random.
/// Makes one pass over the rows and keeps only sums, with two exceptions: Ledoit-Wolf shrinkage and
/// full covariances of a sparse matrix need a second pass; mixtures keep all rows in memory, and so
/// does EM after the pass that found missing values. Rows that can be read only once are kept in
/// memory for a second pass; if they need EM, they are refused: Error (bad_data).
[[nodiscard]] Fitted<Model> fit(RowsRef rows, const Recipe& recipe, const FitOptions& options = {},
                                const Control& control = {});
/// Linear models learn from complete rows with a label. Complement refuses missing numbers
/// (bad_argument) and softmax regression refuses missing values (bad_data), unless they are
/// dropped; both refuse a weight of rows without a label. Softmax regression holds the rows in
/// memory.
[[nodiscard]] Fitted<LinearModel> fit(RowsRef rows, const LinearRecipe& recipe,
                                      const FitOptions& options = {}, const Control& control = {});
[[nodiscard]] Fitted<Classifier> fit(RowsRef rows, const AnyRecipe& recipe,
                                     const FitOptions& options = {}, const Control& control = {});

/// A model with the statistics from which it can be estimated again, so that rows can be merged or
/// forgotten later. Empty statistics if the fit needed rows (EM, mixtures, Ledoit-Wolf, softmax
/// regression).
struct FittedStatistics {
  Fitted<Classifier> fitted;
  std::optional<Statistics> statistics{};
};
[[nodiscard]] FittedStatistics fit_with_statistics(RowsRef rows, const AnyRecipe& recipe,
                                                   const FitOptions& options = {},
                                                   const Control& control = {});

}  // namespace genera
