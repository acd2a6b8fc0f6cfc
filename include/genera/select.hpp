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

/// Which recipe predicts best what it has not learned from: cross-validation and leave-one-out.
namespace genera {

/// Which rows are held out together.
struct Folds {
  Index count = 0;
  std::vector<std::int32_t> of{};  ///< of each position of the rows; -1: in none, it has no label
                                   ///< or no weight
  std::vector<Note> notes{};       ///< classes with fewer rows than folds
};

/// The rows of each class that have a weight are shuffled by the seed and dealt round, so that
/// every fold has its share of every class, and folds differ by at most one row. The folds depend
/// on the content of the rows, not on their order. Throws Error: bad_argument if `count` is less
/// than 2, bad_data if there are fewer labelled rows than folds.
[[nodiscard]] Folds stratified_folds(const Rows& rows, Index count, std::uint64_t seed = 1);

/// Something to choose.
struct Candidate {
  std::string name;
  AnyRecipe recipe{};
  /// The same rows in the same order, with other types of columns; none: those of the others.
  std::optional<Rows> rows{};
};

enum class LooPriors {
  refit,  ///< of the rows that are left
  full,   ///< of all rows
};

struct SelectOptions {
  Index folds = 10;
  std::uint64_t seed = 1;
  FitOptions fit{};
  LooPriors loo_priors = LooPriors::refit;
  bool keep_scores = false;  ///< HeldOut::scores of every candidate: rows x classes numbers each
  /// Leave-one-out that costs more operations than this, all candidates together, is replaced by
  /// folds.
  double max_operations = 1e11;
};

/// What a candidate says of the rows it has not learned from. The score of class k in judged row i
/// is scores(i, k) = log_prior(i, k) + the log density of the row, up to a number that all classes
/// share. Of linear models, which have no prior in their scores, log_prior is 0.
struct HeldOutScores {
  Matrix scores{};      ///< judged rows x classes; -inf for a class that the fold has not seen
  Matrix log_priors{};  ///< models x classes
  std::vector<std::int32_t> model_of{};  ///< of each judged row: a row of log_priors
  Vector weights{};                      ///< of each judged row; empty: every row counts once
  [[nodiscard]] double log_prior(Index row, Index k) const {
    return log_priors(model_of[static_cast<std::size_t>(row)], k);
  }
};

/// How good a candidate is on rows that it has not learned from.
struct HeldOut {
  enum class Method { folds, leave_one_out };
  Method method = Method::folds;

  bool usable = false;
  std::string why_not{};  ///< if it is not usable: what went wrong, of the first fold or row
  Advice hint{};          ///< what to do about it
  std::vector<Note> notes{};

  Index rows = 0;
  Index refitted = 0;  ///< of leave-one-out: rows that took a fit of their own
  Index errors = 0;
  // Means over the judged rows, weighted by the weights of the rows.
  double error_rate = 0, error_rate_se = 0;
  double log_loss = 0, log_loss_se = 0;  ///< mean of -log p(y | x); infinite if one is
  double brier = 0, brier_se = 0;
  Vector losses{};  ///< -log p(y | x) of each judged row

  std::optional<HeldOutScores> scores{};
};
[[nodiscard]] std::string_view name_of(HeldOut::Method method);  ///< "folds", "loo"

enum class Metric { log_loss, error };
[[nodiscard]] std::string_view name_of(Metric metric);

/// What became of all candidates, on the same rows. Those without a label or of weight 0 are not
/// there; of the others each counts once.
struct Selection {
  std::vector<std::string> classes{};  ///< in the order of models
  std::vector<Index> judged{};         ///< positions of the rows
  std::vector<std::int32_t> truths{};  ///< their classes
  Vector weights{};                    ///< their weights; empty: every row counts once
  Index not_judged = 0;                ///< rows whose class is not left without them
  std::vector<HeldOut> candidates{};   ///< in the order in which they were given
  std::vector<Note> notes{};

  /// The candidates that are usable, the best first: by the metric, then by the other one, then in
  /// their order. A loss that is not finite loses.
  [[nodiscard]] std::vector<std::size_t> ranking(Metric metric = Metric::log_loss) const;

  /// By how much the log loss of one candidate exceeds that of another, row by row.
  struct Difference {
    double mean = 0, se = 0;
  };
  [[nodiscard]] Difference difference(std::size_t worse, std::size_t better) const;
};
/// All but the notes; `points` are what the candidates are. `ranking` has the places of the usable
/// candidates, the best first; `behind` and `behind_se` by how much the log loss of each exceeds
/// that of the best, in the same order. Candidates that cannot be used have null figures, `why_not`
/// and `hint`.
[[nodiscard]] Facts facts(const Selection& selection, const std::vector<GridPoint>& points,
                          Metric metric);
/// The notes of the selection and of its candidates, each once, and a warning if rows were not
/// judged.
[[nodiscard]] std::vector<Note> all_notes(const Selection& selection,
                                          const std::vector<GridPoint>& points);
/// Throws Error (bad_model) with the reason of the first candidate if none can be used.
void require_usable(const Selection& selection, const std::vector<Candidate>& candidates);

/// Scores every candidate on stratified folds, the same for all. Candidates that are estimated in
/// closed form share one pass over the rows: the training statistics of a fold are those of the
/// other folds, merged. The others, and all where EM is needed, are fitted for each fold. A
/// candidate that cannot be fitted is not usable; only the wish to stop is thrown. Throws Error as
/// stratified_folds does, and bad_argument if there is no candidate or no label for each row. Same
/// bits for any number of threads.
[[nodiscard]] Selection cross_validate(const Rows& rows, const std::vector<Candidate>& candidates,
                                       const SelectOptions& options = {},
                                       const Control& control = {});
/// The same on given folds, which are those of all rows. Throws Error (bad_argument) unless there
/// are two or more and every row has one of them, or -1, as rows without a label must.
[[nodiscard]] Selection cross_validate(const Rows& rows, const std::vector<Candidate>& candidates,
                                       const Folds& folds, const SelectOptions& options = {},
                                       const Control& control = {});

/// Scores every candidate on each row as `fit` with the same recipe makes it of all other rows, in
/// closed form where there is one. What has none, or is too expensive, is judged by folds, and says
/// so.
[[nodiscard]] Selection leave_one_out(const Rows& rows, const std::vector<Candidate>& candidates,
                                      const SelectOptions& options = {},
                                      const Control& control = {});

/// The temperature T in [1, 100] that suits held-out rows, p_k proportional to
/// exp(log_prior_k + (score_k - log_prior_k) / T). It minimises the weighted mean of
/// -log((1 - 1/n) p(truth) + 1/(n K)), at most log(n K) for a row of weight 1. T never raises the
/// mean of -log p(truth), nor the error rate by more than the standard error of the difference.
/// Same bits for any number of threads. Throws Error (bad_argument) unless there is a truth for
/// each row of the scores, and it is one of their classes.
[[nodiscard]] Calibration fit_temperature(const HeldOutScores& scores,
                                          const std::vector<std::int32_t>& truths,
                                          const Control& control = {});

/// The same model with the temperature that suits it, from cross-validation of its recipe on rows:
/// those it was fitted to, or a sample. A note of the report says what came of it. Where there are
/// not enough rows, or a fold cannot be fitted, a warning does, and the model stays as it was.
/// Keeps rows x classes numbers.
[[nodiscard]] Fitted<Classifier> calibrate(Fitted<Classifier> fitted, const Rows& rows,
                                           const AnyRecipe& recipe,
                                           const SelectOptions& options = {},
                                           const Control& control = {});

/// How much rows without a label should count, as held-out labelled rows say.
struct UnlabelledWeight {
  struct Trial {
    double weight = 0;
    double log_loss = 0;  ///< of held-out labelled rows
    double gain = 0;      ///< mean reduction of the bounded loss against weight 0
    double gain_se = 0;
  };
  double weight = 0;
  std::vector<Trial> trials{};  ///< weight 0 first; empty if nothing could be compared
  Index rows = 0;               ///< labelled rows that were held out
  Index folds = 0;
};
/// Compares the weights 0, 0.1 and 1 by stratified cross-validation of the labelled rows; every
/// training set includes all rows without a label. The weight with the lowest log loss is chosen if
/// it is better than weight 0 by more than three standard errors of bounded losses (see
/// fit_temperature), else 0. With more than 5,000 rows of either sort (1,000 where numbers are
/// missing, and of mixtures), a sample decides. Linear models learn from labelled rows only: 0.
[[nodiscard]] UnlabelledWeight choose_unlabelled_weight(RowsRef rows, const AnyRecipe& recipe,
                                                        const SelectOptions& options = {},
                                                        const Control& control = {});
/// As `fit`, but rows without a label count with the weight that choose_unlabelled_weight finds, if
/// the options have none. A note says which. Several passes, if there are such rows.
[[nodiscard]] Fitted<Classifier> fit_weighing_unlabelled(RowsRef rows, const AnyRecipe& recipe,
                                                         const SelectOptions& options = {},
                                                         const Control& control = {});

/// Numbers from `first` to `last` in steps: 0, 0.1, ..., 1.
[[nodiscard]] Vector evenly(double first, double last, double step);
/// rda at every pair of `alphas` and `gammas`, otherwise like `recipe`; they are named
/// "rda(0.1, 0.2)".
[[nodiscard]] std::vector<Candidate> rda_grid(const Recipe& recipe,
                                              const Vector& alphas = evenly(0, 1, 0.1),
                                              const Vector& gammas = evenly(0, 1, 0.2));

}  // namespace genera
