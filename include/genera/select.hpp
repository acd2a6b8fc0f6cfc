#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <genera/candidates.hpp>
#include <genera/error.hpp>
#include <genera/facts.hpp>
#include <genera/fit.hpp>
#include <genera/rows.hpp>

/// Model selection by cross-validation and leave-one-out.
namespace genera {

/// Assignment of rows to folds.
struct Folds {
  Index count = 0;
  /// Fold of each position of the rows; -1: none, because it has no label or weight.
  std::vector<std::int32_t> of{};
  std::vector<Note> notes{};  ///< classes with fewer rows than folds
};

/// Stratified folds: the rows of each class with positive weight are shuffled by the seed and dealt
/// to the folds in turn, so that fold sizes differ by at most one row. The folds depend on the
/// content of the rows, not on their order. Throws Error: bad_argument if `count` is less than 2,
/// bad_data if there are fewer labelled rows than folds.
[[nodiscard]] Folds stratified_folds(const Rows& rows, Index count, std::uint64_t seed = 1);

/// A recipe to be compared with others.
struct Candidate {
  std::string name;
  AnyRecipe recipe{};
  /// The same rows in the same order with other column types; empty: the common rows.
  std::optional<Rows> rows{};
};

enum class LooPriors {
  refit,  ///< of the training rows
  full,   ///< of all rows
};

struct SelectOptions {
  Index folds = 10;
  std::uint64_t seed = 1;
  FitOptions fit{};
  LooPriors loo_priors = LooPriors::refit;
  bool keep_scores = false;  ///< fill HeldOut::scores: rows x classes numbers for each candidate
  /// Leave-one-out of all candidates is replaced by folds if it needs more operations.
  double max_operations = 1e11;
};

/// Held-out scores of a candidate. The score of class k for row i is scores(i, k) = log_prior(i, k)
/// + the log density of the row, up to a constant shared by all classes. For linear models, whose
/// scores contain no prior, log_prior is 0.
struct HeldOutScores {
  /// evaluated rows x classes; -inf for a class that is not in the training rows of the fold
  Matrix scores{};
  Matrix log_priors{};                   ///< models x classes
  std::vector<std::int32_t> model_of{};  ///< of each evaluated row: its row in log_priors
  Vector weights{};                      ///< of each evaluated row; empty: all 1
  [[nodiscard]] double log_prior(Index row, Index k) const {
    return log_priors(model_of[static_cast<std::size_t>(row)], k);
  }
};

/// Held-out performance of a candidate.
struct HeldOut {
  enum class Method { folds, leave_one_out };
  Method method = Method::folds;

  bool usable = false;
  std::string why_not{};  ///< if it is not usable: the error of the first fold or row
  Advice hint{};          ///< the remedy
  std::vector<Note> notes{};

  Index rows = 0;
  Index refitted = 0;  ///< leave-one-out: rows that needed a fit of their own
  Index errors = 0;
  // Means over the judged rows, weighted by the weights of the rows.
  double error_rate = 0, error_rate_se = 0;
  double log_loss = 0, log_loss_se = 0;  ///< mean of -log p(y | x); may be infinite
  double brier = 0, brier_se = 0;
  Vector losses{};  ///< -log p(y | x) of each evaluated row

  std::optional<HeldOutScores> scores{};
};
[[nodiscard]] std::string_view name_of(HeldOut::Method method);  ///< "folds", "loo"

enum class Metric { log_loss, error };
[[nodiscard]] std::string_view name_of(Metric metric);

/// Results of all candidates on the same rows. Rows without a label or weight are excluded; every
/// other row is held out once.
struct Selection {
  std::vector<std::string> classes{};  ///< sorted as in models
  std::vector<Index> judged{};         ///< positions of the evaluated rows
  std::vector<std::int32_t> truths{};  ///< their true classes
  Vector weights{};                    ///< their weights; empty: all 1
  Index not_judged = 0;                ///< rows whose class has no other rows
  std::vector<HeldOut> candidates{};   ///< in the order given
  std::vector<Note> notes{};

  /// Usable candidates from best to worst: by the metric, then by the other metric, then in their
  /// order. Losses that are not finite come last.
  [[nodiscard]] std::vector<std::size_t> ranking(Metric metric = Metric::log_loss) const;

  /// Mean difference of the log losses of two candidates over rows, with its standard error.
  struct Difference {
    double mean = 0, se = 0;
  };
  [[nodiscard]] Difference difference(std::size_t worse, std::size_t better) const;
};
/// Everything but the notes; `points` describe the candidates. `ranking` lists the usable
/// candidates from best to worst; `behind` and `behind_se`, in the same order, give the difference
/// of their log loss from the best one. Candidates that are not usable have null values, `why_not`
/// and `hint`.
[[nodiscard]] Facts facts(const Selection& selection, const std::vector<GridPoint>& points,
                          Metric metric);
/// The distinct notes of the selection and its candidates, and a warning if rows were not
/// evaluated.
[[nodiscard]] std::vector<Note> all_notes(const Selection& selection,
                                          const std::vector<GridPoint>& points);
/// Throws Error (bad_model) with the reason of the first candidate if none is usable.
void require_usable(const Selection& selection, const std::vector<Candidate>& candidates);

/// Scores every candidate on the same stratified folds. Candidates in closed form share one pass
/// over the rows: the training statistics of a fold are the merge of the other folds. Other
/// candidates, and all candidates if EM is needed, are fitted for each fold. A candidate that
/// cannot be fitted is not usable; only Error (stopped) is rethrown. Throws Error as
/// stratified_folds does, and bad_argument if there is no candidate or a row has no label. Same
/// bits for any number of threads.
[[nodiscard]] Selection cross_validate(const Rows& rows, const std::vector<Candidate>& candidates,
                                       const SelectOptions& options = {},
                                       const Control& control = {});
/// The same with given folds for all rows. Throws Error (bad_argument) unless there are at least
/// two folds and every row is in one of them or has -1, as rows without a label must.
[[nodiscard]] Selection cross_validate(const Rows& rows, const std::vector<Candidate>& candidates,
                                       const Folds& folds, const SelectOptions& options = {},
                                       const Control& control = {});

/// Scores every candidate on each row with the model that `fit` makes from all other rows, in
/// closed form if available. Candidates without a closed form, and too expensive ones, use folds
/// instead and a note reports it.
[[nodiscard]] Selection leave_one_out(const Rows& rows, const std::vector<Candidate>& candidates,
                                      const SelectOptions& options = {},
                                      const Control& control = {});

/// Fits the temperature T in [1, 100] to held-out rows, with p_k proportional to exp(log_prior_k +
/// (score_k - log_prior_k) / T). It minimises the weighted mean of -log((1 - 1/n) p(truth) + 1/(n
/// K)), which is at most log(n K) for a row of weight 1. T never increases the mean of -log
/// p(truth), nor the error rate by more than the standard error of the difference. Same bits for
/// any number of threads. Throws Error (bad_argument) unless every row of the scores has a truth
/// among their classes.
[[nodiscard]] Calibration fit_temperature(const HeldOutScores& scores,
                                          const std::vector<std::int32_t>& truths,
                                          const Control& control = {});

/// The model with a temperature fitted by cross-validation of its recipe on `rows`: its training
/// rows or a sample of them. A note reports the result. If there are too few rows or a fold cannot
/// be fitted, a warning reports it and the model is unchanged. Keeps rows x classes numbers in
/// memory.
[[nodiscard]] Fitted<Classifier> calibrate(Fitted<Classifier> fitted, const Rows& rows,
                                           const AnyRecipe& recipe,
                                           const SelectOptions& options = {},
                                           const Control& control = {});

/// Weight of rows without a label, chosen by held-out labelled rows.
struct UnlabelledWeight {
  struct Trial {
    double weight = 0;
    double log_loss = 0;  ///< of held-out labelled rows
    double gain = 0;      ///< mean reduction of the bounded loss relative to weight 0
    double gain_se = 0;
  };
  double weight = 0;
  std::vector<Trial> trials{};  ///< weight 0 first; empty if no comparison was possible
  Index rows = 0;               ///< held-out labelled rows
  Index folds = 0;
};
/// Compares the weights 0, 0.1 and 1 by stratified cross-validation of the labelled rows; every
/// training set includes all rows without a label. Chooses the weight with the lowest log loss if
/// it is better than weight 0 by more than three standard errors of bounded losses (see
/// fit_temperature), else 0. With more than 5,000 rows of either kind (1,000 with missing numbers
/// or for mixtures), a sample is used. For linear models, which learn from labelled rows only, the
/// weight is 0.
[[nodiscard]] UnlabelledWeight choose_unlabelled_weight(RowsRef rows, const AnyRecipe& recipe,
                                                        const SelectOptions& options = {},
                                                        const Control& control = {});
/// Like `fit`, but unless the options contain a weight, rows without a label get the weight of
/// choose_unlabelled_weight, and a note reports it. Makes several passes if there are such rows.
[[nodiscard]] Fitted<Classifier> fit_weighing_unlabelled(RowsRef rows, const AnyRecipe& recipe,
                                                         const SelectOptions& options = {},
                                                         const Control& control = {});

/// The numbers from `first` to `last` in steps: 0, 0.1, ..., 1.
[[nodiscard]] Vector evenly(double first, double last, double step);
/// rda at all pairs of `alphas` and `gammas`, otherwise like `recipe`; named "rda(0.1, 0.2)".
[[nodiscard]] std::vector<Candidate> rda_grid(const Recipe& recipe,
                                              const Vector& alphas = evenly(0, 1, 0.1),
                                              const Vector& gammas = evenly(0, 1, 0.2));

}  // namespace genera
