#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <genera/select.hpp>
#include <genera/stream.hpp>

/// Automatic choice of the model by cross-validation.
namespace genera {

struct AutoOptions {
  /// Options shared by all candidates: priors, divisor, units, floor, smoothing, selection of
  /// terms.
  Recipe base{};
  bool smoothing_given = false;  ///< keep the smoothing of `base`
  FitOptions fit{};
  Index folds = 10;
  std::uint64_t seed = 1;
  bool calibrate = true;  ///< also fit a temperature on the same folds
  /// Pool the best candidates of different families in a Committee where that is better than each
  /// alone; otherwise always choose one.
  bool pool = true;
  bool simple = false;     ///< prefer one model unless a pool is better by three standard errors
  bool fast = false;       ///< only candidates that are estimated from sums, and only one of them
  bool keep_rows = true;   ///< false: no model that contains training rows (Model::keeps_rows)
  Index max_rows = 20000;  ///< with more labelled rows, a stratified sample of this size is used
  /// Numeric columns that must not become categories, in addition to RowSource::fixed_types.
  std::vector<std::string> keep_types{};
};

/// A member of a committee that fit_auto has chosen.
struct AutoMember {
  std::string name{};
  double weight = 0;
};

/// The chosen model.
struct AutoChoice {
  std::string name{};                 ///< "rda alpha 0.2 gamma 0.1", or "committee"
  Recipe recipe{};                    ///< of the best single candidate
  std::vector<AutoMember> members{};  ///< of a committee
  /// Held-out log loss of the whole procedure: candidates, temperatures and weights are chosen
  /// without the fold that is judged. Empty if there are
  /// too few rows.
  std::optional<double> expected_log_loss{};
  /// Columns that are read with another type than the data suggest.
  std::vector<std::pair<std::string, ColumnType>> types{};
  bool counts = false;  ///< all columns are read as counts

  double log_loss = 0;  ///< held-out, of the best single candidate
  std::string runner_up{};
  double runner_up_log_loss = 0;
  std::optional<Calibration> calibration{};
  Index candidates = 0;
  Index rows = 0;  ///< rows used for the choice
  Index of = 0;    ///< rows in total
};

/// Chooses among gnb, dlda, lda, qda, a grid of rda, and gnb with variance priors for numbers;
/// among multinomial and bernoulli with several smoothings for texts and for counts that are mostly
/// 0; and, for columns of whole numbers with at most ten values, between number and category.
/// Candidates do not depend on whether the numbers are stored as a sparse matrix or as columns. The
/// candidate with the lowest log loss in common stratified folds is chosen, or a committee of the
/// best candidates of different families if its cross-fitted log loss is lower by more than one
/// standard error (from 100 labelled rows on); candidates that cannot
/// be fitted in a fold or have an infinite loss are excluded. The chosen model is then fitted to
/// all rows. If it is singular there, the next best is used, and finally a model that cannot be
/// singular; a table without any variation gives a model of the priors only. A note of the report
/// states the choice, its temperature and the runner-up. Throws Error as `fit` does if there is no
/// label or no column. A column that became a category still accepts numbers at prediction. Rows
/// without a label get the weight of choose_unlabelled_weight, unless the options contain one. The
/// choice does not depend on the order of rows. Makes several passes (rows that can be read only
/// once are kept in memory); only the rows used for the choice are kept, and all rows if the fit
/// needs them (EM).
struct AutoFit {
  Fitted<Classifier> fitted;
  AutoChoice choice;
};
[[nodiscard]] AutoFit fit_auto(RowsRef rows, const AutoOptions& options = {},
                               const Control& control = {});

}  // namespace genera
