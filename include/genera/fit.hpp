#pragma once

#include <optional>

#include <genera/classifier.hpp>
#include <genera/control.hpp>
#include <genera/recipe.hpp>
#include <genera/report.hpp>

namespace genera {

/// Sums of w ||D^-1 (x - mean_k)||^4, per class: what Ledoit-Wolf needs besides the statistics.
using FourthMoments = Vector;

struct EstimateOptions {
  std::optional<FourthMoments> fourth{};  ///< only for Shrinkage::Kind::lw
};

/// Statistics -> model, in closed form.
/// Throws Error (bad_model) on a singular covariance, naming class, rank and columns.
[[nodiscard]] Fitted<Model> estimate(const Statistics& statistics, const Recipe& recipe,
                                     const EstimateOptions& options = {},
                                     const Control& control = {});

/// Softmax regression needs the rows: Error (bad_argument).
[[nodiscard]] Fitted<LinearModel> estimate(const Statistics& statistics, const LinearRecipe& recipe,
                                           const Control& control = {});
[[nodiscard]] Fitted<Classifier> estimate(const Statistics& statistics, const AnyRecipe& recipe,
                                          const Control& control = {});

struct FitOptions {
  Missing missing = Missing::em;
  /// How much a row without a label counts in EM. None: `fit` leaves such rows out, with a note;
  /// fit_auto and fit_weighing_unlabelled choose the weight by held-out rows.
  std::optional<double> unlabelled_weight{};

  [[nodiscard]] bool uses_unlabelled() const {
    return missing == Missing::em && unlabelled_weight.value_or(0) > 0;
  }
};
/// Throws Error (bad_argument) on a value out of range.
void validate(const FitOptions& options);

/// Rows -> statistics -> model, and how it went; what was noticed on the way is in the model's
/// notes, too. Where numbers are missing, or rows without a label have a weight, maximum likelihood
/// under missing-at-random by EM.
///
/// Makes one pass over the rows and keeps sums only, except that
/// - Ledoit-Wolf shrinkage and full covariances of a sparse matrix take a second pass,
/// - mixtures hold all rows in memory, and so does EM, after the pass that has found what is
/// missing. Rows that can be read only once are held in memory in the first two cases; if they turn
/// out to need EM, they are refused: Error (bad_data).
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

/// A model and what it was estimated from, where that is enough to estimate it again: other rows
/// can then be merged into it, or some forgotten. None where rows were needed (EM, mixtures,
/// Ledoit-Wolf, softmax regression).
struct FittedStatistics {
  Fitted<Classifier> fitted;
  std::optional<Statistics> statistics{};
};
[[nodiscard]] FittedStatistics fit_with_statistics(RowsRef rows, const AnyRecipe& recipe,
                                                   const FitOptions& options = {},
                                                   const Control& control = {});

}  // namespace genera
