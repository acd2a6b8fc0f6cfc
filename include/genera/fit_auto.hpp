#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <genera/select.hpp>
#include <genera/stream.hpp>

/// A model that is chosen for the data rather than named.
namespace genera {

struct AutoOptions {
  /// What all candidates have in common: priors, divisor, units, floor, smoothing, which terms.
  Recipe base{};
  bool smoothing_given = false;  ///< that of `base` is not to be varied
  FitOptions fit{};
  Index folds = 10;
  std::uint64_t seed = 1;
  bool calibrate = true;   ///< then one temperature, from the same folds
  Index max_rows = 20000;  ///< with more labelled rows, a stratified sample of this size decides
  /// Columns of numbers that are not to become categories, beside those of RowSource::fixed_types.
  std::vector<std::string> keep_types{};
};

/// What was chosen.
struct AutoChoice {
  std::string name{};  ///< "rda alpha 0.2 gamma 0.1"
  Recipe recipe{};
  /// Columns that are read as something else than the data suggest.
  std::vector<std::pair<std::string, ColumnType>> types{};
  bool counts = false;  ///< all columns are counts

  double log_loss = 0;  ///< of the rows held out
  std::string runner_up{};
  double runner_up_log_loss = 0;
  std::optional<Calibration> calibration{};
  Index candidates = 0;
  Index rows = 0;  ///< on which was decided
  Index of = 0;    ///< there are in total
};

/// Chooses among gnb, dlda, lda, qda, a grid of rda, and gnb with variance priors for numbers;
/// among multinomial and bernoulli with some smoothings for texts and for counts that are mostly 0;
/// and, for columns of whole numbers with at most ten values, between number and category. What is
/// tried does not depend on whether the numbers are a sparse matrix or columns. The choice is
/// that of the least log loss in stratified folds, the same for all; what cannot be fitted in a
/// fold, or has an infinite loss, loses. Then the model is fitted to all rows. If it is singular
/// there, the next best is taken, and at last models that cannot be: a table in which nothing
/// varies gives one that knows the priors only. A note of the report says what was chosen,
/// its temperature and the runner-up. Throws Error as `fit` does where there is nothing to learn
/// from: no label, no column. A column that became a category can still be given as numbers when
/// the model is asked. Rows without a label count with the weight of choose_unlabelled_weight,
/// unless the options have one. The choice does not depend on the order of rows.
/// Makes several passes (rows that can be read only once are held in memory); only the rows decided
/// on are kept, and all rows where the fit needs them (EM).
struct AutoFit {
  Fitted<Classifier> fitted;
  AutoChoice choice;
};
[[nodiscard]] AutoFit fit_auto(RowsRef rows, const AutoOptions& options = {},
                               const Control& control = {});

}  // namespace genera
