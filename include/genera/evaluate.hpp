#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <genera/decisions.hpp>
#include <genera/facts.hpp>
#include <genera/query.hpp>
#include <genera/stream.hpp>

namespace genera {

/// Treatment of rows whose label is missing or not a class of the model.
enum class OtherLabels {
  leave_out,  ///< left out and counted
  refuse,
};

/// Rows that were not evaluated.
struct LeftOut {
  Index missing = 0;                      ///< without a label
  Index unknown = 0;                      ///< with a label that is not a class of the model
  std::map<std::string, Index> labels{};  ///< those labels; at most a hundred
  [[nodiscard]] Index rows() const { return missing + unknown; }
};

/// Rows with a largest posterior in (low, high]; the first bin includes 0.
struct ReliabilityBin {
  double low = 0, high = 0;
  Index rows = 0;
  double weight = 0;      ///< total weight of the rows
  double confidence = 0;  ///< mean largest posterior; 0 without rows
  double accuracy = 0;    ///< fraction of correct predictions; 0 without rows
};

/// Fraction of pairs of a positive and a negative in which the positive has the larger score; ties
/// count half. Exact, by ranks. Empty without pairs.
[[nodiscard]] std::optional<double> area_under_roc(Vector positives, Vector negatives);
/// Mean over the positives of the precision at their score: the fraction of positives among all
/// rows with at least this score. Empty without a positive.
[[nodiscard]] std::optional<double> average_precision(Vector positives, Vector negatives);
/// The same for weighted rows: the weight of a pair is the product of its two weights.
struct WeightedScore {
  double score = 0, weight = 1;
};
[[nodiscard]] std::optional<double> weighted_area_under_roc(std::vector<WeightedScore> positives,
                                                            std::vector<WeightedScore> negatives);
[[nodiscard]] std::optional<double> weighted_average_precision(
    std::vector<WeightedScore> positives, std::vector<WeightedScore> negatives);

/// A confidence interval of a proportion.
struct Interval {
  double low = 0, high = 1;
};
/// Wilson's (1927) confidence interval of a proportion observed in `rows` independent rows. It lies
/// within [0, 1] and is not degenerate for proportions of 0 and 1. Throws Error (bad_argument) if
/// `level` is not in (0, 1).
[[nodiscard]] Interval wilson_interval(double share, double rows, double level = 0.95);

/// Quality of predictions, additive over rows. Evaluates the decisions under `rule`; for rejected
/// rows, the decision that would have been made. Counts are numbers of rows; with weights, all
/// means, proportions and sums of logarithms are weighted. With two classes, the posteriors of all
/// rows are kept for ranking, 24 bytes per row; otherwise the size is independent of the rows.
class Evaluation {
 public:
  /// Throws Error (bad_argument) if the rule does not fit these classes.
  explicit Evaluation(std::vector<std::string> classes, DecisionRule rule = {},
                      OtherLabels others = OtherLabels::leave_out);

  /// Scores the rows and compares the answers with their labels. Throws Error (bad_data) for a
  /// label that is missing or not a class of the model, with line and label, if such labels are
  /// refused.
  void add(ClassifierRef model, const Rows& rows, const Control& control = {});
  /// The same for posteriors of any classifier, n x K in the order of the classes; of the rows only
  /// labels and weights are used. Throws Error (bad_data) for a row of posteriors that are not
  /// probabilities with the sum 1.
  void add(const Matrix& posterior, const Rows& rows);
  void merge(const Evaluation& other);

  [[nodiscard]] const std::vector<std::string>& classes() const { return classes_; }
  [[nodiscard]] const DecisionRule& rule() const { return rule_; }
  [[nodiscard]] Index rows() const { return rows_; }       ///< evaluated rows
  [[nodiscard]] double weight() const { return weight_; }  ///< their weight; rows() without weights
  [[nodiscard]] bool weighted() const { return weighted_; }  ///< true if a weight differed from 1
  [[nodiscard]] const LeftOut& left_out() const { return left_out_; }
  [[nodiscard]] Index errors() const;
  [[nodiscard]] double accuracy() const;
  [[nodiscard]] double error_rate() const;
  /// Wilson's confidence interval of the accuracy on rows from the same distribution. Weighted rows
  /// count as their effective number (Kish): (sum w)^2 / sum w^2.
  [[nodiscard]] Interval accuracy_interval(double level = 0.95) const;
  /// Mean recall of the classes that have rows: chance is 1 / K, however large one of them is.
  [[nodiscard]] double balanced_accuracy() const;
  /// What always answering with the largest class of these rows would give.
  struct Baseline {
    Index prediction = 0;  ///< class
    double accuracy = 0;
  };
  [[nodiscard]] Baseline baseline() const;
  [[nodiscard]] double log_loss() const;        ///< mean of -log p(y | x); may be infinite
  [[nodiscard]] double brier() const;           ///< mean of sum_k (p_k - [y = k])^2
  [[nodiscard]] double log_likelihood() const;  ///< sum of log p(x, y); NaN for a linear model
  [[nodiscard]] Index impossible() const { return impossible_; }
  /// Cells with a category that did not occur in training.
  [[nodiscard]] Index unseen() const { return unseen_; }
  [[nodiscard]] const std::vector<UnseenLevel>& unseen_levels() const { return unseen_levels_; }
  /// Missing cells of the rows, which were evaluated by their other cells.
  [[nodiscard]] const MissingCells& missing() const { return missing_; }
  /// Number of rows by true class and decision, K x K.
  [[nodiscard]] Index confusion(Index truth, Index prediction) const;
  [[nodiscard]] double confusion_weight(Index truth, Index prediction) const;

  /// Mean cost; without costs the error rate. Rows sent to review have its cost.
  [[nodiscard]] double risk() const;
  [[nodiscard]] Index rejected() const { return rejected_; }
  [[nodiscard]] double coverage() const;  ///< fraction of rows that were decided
  /// Mean cost of the decided rows; empty if there are none.
  [[nodiscard]] std::optional<double> selective_risk() const;

  /// Reliability table: rows by their largest posterior, in 15 bins of equal width. Compares the
  /// most probable class with the truth, independent of costs.
  [[nodiscard]] std::vector<ReliabilityBin> reliability() const;
  /// Expected calibration error: mean of |accuracy - confidence| over the rows.
  [[nodiscard]] double expected_calibration_error() const;
  /// With two classes that both have rows: area under the ROC curve of the posterior of class
  /// `positive`. Throws Error (bad_argument) if `positive` is not a class.
  [[nodiscard]] std::optional<double> area_under_roc(Index positive = 1) const;
  /// Average precision, likewise.
  [[nodiscard]] std::optional<double> average_precision(Index positive = 1) const;

  struct ClassScores {
    double precision = 0, recall = 0,
           f1 = 0;  ///< 0 if its denominator is 0
    Index support = 0;
    double weight = 0;  ///< total weight of the rows of the class
  };
  [[nodiscard]] ClassScores scores(Index k) const;

 private:
  struct Judged {  // rows and their true classes
    std::vector<Index> rows, truths;
    std::vector<double> weights;
    std::vector<Index> copies;  // frequency of each row
  };
  [[nodiscard]] Judged sort_out(const Rows& rows);
  void count(bool has_density, const Judged& judged, const Answers& answers);
  struct Decided {  // one row
    Index truth;
    Index copies;
    double weight;
    std::int32_t decision;  // a class, even if the row is rejected
    bool rejected;          // the largest posterior is below the threshold
    bool reviewed;          // review has the lowest cost
  };
  void count_decision(const Decided& row);
  void merge_probabilities(const Evaluation& other);
  struct Confident {  // one row
    Index truth;
    Index copies;
    double weight;
    std::int32_t label;  // most probable class
    std::span<const double> posterior;
  };
  void count_confidence(const Confident& row);
  struct Ranked {  // posteriors of a class, separately for rows of this class and others
    std::vector<WeightedScore> positives, negatives;
  };
  [[nodiscard]] Ranked ranked(Index positive) const;

  std::vector<std::string> classes_;
  DecisionRule rule_;
  OtherLabels others_;
  LeftOut left_out_{};
  std::vector<Index> confusion_;
  std::vector<double> confusion_weights_;
  Index rows_ = 0;
  double weight_ = 0, squared_weight_ = 0;  // sums
  bool weighted_ = false;
  Index impossible_ = 0;
  Index unseen_ = 0;
  std::vector<UnseenLevel> unseen_levels_{};
  MissingCells missing_{};
  Index rejected_ = 0;
  double rejected_weight_ = 0;
  double cost_ = 0, decided_cost_ = 0;  // sums over all rows, and over rows not rejected
  double log_loss_ = 0, brier_ = 0, log_likelihood_ = 0;  // sums
  static constexpr std::size_t bins_ = 15;
  struct BinSums {
    Index rows = 0;
    double weight = 0, right = 0, confidence = 0;  // weighted sums
  };
  std::array<BinSums, bins_> bin_sums_{};
  struct TwoPosteriors {
    std::array<double, 2> of_class;
    double weight;
  };
  std::array<std::vector<TwoPosteriors>, 2> posteriors_{};  // with two classes, by the true class
};

/// All values of an evaluation, as printed by `genera evaluate --json`. With two classes, rank
/// statistics refer to class `positive`, which is otherwise ignored. `log_likelihood` is null for a
/// linear model; `confidence` and `accuracy` are null for bins without rows.
[[nodiscard]] Facts facts(const Evaluation& evaluation, Index positive = 1);

/// Agreement of two groupings of the same rows (Hubert and Arabie 1985): 1 if they are equal up to
/// names, 0 on average if they are independent. `counts`: rows by both groupings, e.g. labels x
/// groups.
[[nodiscard]] double adjusted_rand_index(const Matrix& counts);

/// Profiles of groups of rows: the classes of a Gaussian model, such as those found by cluster().
struct GroupProfiles {
  std::vector<std::string> columns{};  ///< d
  Vector means{}, deviations{};        ///< of all rows, over the observed cells (divisor n)
  std::vector<Index> rows{};           ///< number of rows with this most probable group
  Vector shares{};                     ///< prior of each group
  Matrix away{};                       ///< groups x d: (mean of the group - mean) / deviation
};
/// Throws Error (bad_model) if a block of the model is not Gaussian.
[[nodiscard]] GroupProfiles group_profiles(const Model& model, const Table& table,
                                           const Control& control = {});

/// `groups`: names of the groups.
[[nodiscard]] Facts facts(const GroupProfiles& profiles, const std::vector<std::string>& groups);

/// One pass over the rows; with two classes, posteriors are kept for ranking. Throws Error
/// (bad_data) if none of the rows can be evaluated.
[[nodiscard]] Evaluation evaluate(ClassifierRef model, RowsRef rows, const DecisionRule& rule = {},
                                  const Control& control = {},
                                  OtherLabels others = OtherLabels::leave_out);

}  // namespace genera
