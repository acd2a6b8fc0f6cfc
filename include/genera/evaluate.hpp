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

/// What becomes of rows whose label is missing, or is not a class of the model.
enum class OtherLabels {
  leave_out,  ///< they are counted
  refuse,
};

/// Rows that were not judged.
struct LeftOut {
  Index missing = 0;                      ///< without a label
  Index unknown = 0;                      ///< with a label that is not a class of the model
  std::map<std::string, Index> labels{};  ///< those labels, of many the first hundred
  [[nodiscard]] Index rows() const { return missing + unknown; }
};

/// Rows whose largest posterior is in (low, high]; the first bin begins with 0.
struct ReliabilityBin {
  double low = 0, high = 0;
  Index rows = 0;
  double weight = 0;      ///< of these rows
  double confidence = 0;  ///< mean of the largest posterior; 0 without rows
  double accuracy = 0;    ///< how often the most probable class is the true one; 0 without rows
};

/// The share of the pairs of a positive and a negative in which the positive has the larger score;
/// ties count half. Exact, by ranks. None if there is no pair.
[[nodiscard]] std::optional<double> area_under_roc(Vector positives, Vector negatives);
/// The mean, over the positives, of the precision at their score: the share of positives among all
/// with at least this score. None without a positive.
[[nodiscard]] std::optional<double> average_precision(Vector positives, Vector negatives);
/// The same where rows have weights: a pair has the product of its two.
struct WeightedScore {
  double score = 0, weight = 1;
};
[[nodiscard]] std::optional<double> weighted_area_under_roc(std::vector<WeightedScore> positives,
                                                            std::vector<WeightedScore> negatives);
[[nodiscard]] std::optional<double> weighted_average_precision(
    std::vector<WeightedScore> positives, std::vector<WeightedScore> negatives);

/// A share that is probably where the true one is.
struct Interval {
  double low = 0, high = 1;
};
/// The confidence interval of Wilson (1927) for a share that was found in `rows` independent ones:
/// it stays within [0, 1], and is not empty for shares of 0 and 1. Throws Error (bad_argument) if
/// `level` is not in (0, 1).
[[nodiscard]] Interval wilson_interval(double share, double rows, double level = 0.95);

/// How good predictions are; additive over rows until the ratios are taken. What is judged are the
/// decisions under `rule`, all of them: of rejected ones what would have been decided. Counts are
/// of rows; if the rows have weights, whatever is a mean, a share or a sum of logarithms is
/// weighted by them. Of two classes the posteriors of every row are kept, 24 bytes each, to be
/// ranked; else its size does not depend on the rows.
class Evaluation {
 public:
  /// Throws Error (bad_argument) if the rule is not one for these classes.
  explicit Evaluation(std::vector<std::string> classes, DecisionRule rule = {},
                      OtherLabels others = OtherLabels::leave_out);

  /// Asks the model about the rows and compares with their labels.
  /// Throws Error (bad_data) on a label that is missing or not a class of the model, naming line
  /// and label, if such are refused.
  void add(ClassifierRef model, const Rows& rows, const Control& control = {});
  void merge(const Evaluation& other);

  [[nodiscard]] const std::vector<std::string>& classes() const { return classes_; }
  [[nodiscard]] const DecisionRule& rule() const { return rule_; }
  [[nodiscard]] Index rows() const { return rows_; }         ///< that were judged
  [[nodiscard]] double weight() const { return weight_; }    ///< theirs; rows() without weights
  [[nodiscard]] bool weighted() const { return weighted_; }  ///< whether a row had another than 1
  [[nodiscard]] const LeftOut& left_out() const { return left_out_; }
  [[nodiscard]] Index errors() const;
  [[nodiscard]] double accuracy() const;
  [[nodiscard]] double error_rate() const;
  /// Where the accuracy on other rows like these probably is: that of Wilson. Of weighted rows for
  /// as many as are worth as much (Kish): (sum w)^2 / sum w^2.
  [[nodiscard]] Interval accuracy_interval(double level = 0.95) const;
  /// Mean recall of the classes that have rows: chance is 1 / K, however large one of them is.
  [[nodiscard]] double balanced_accuracy() const;
  /// What always answering with the largest class of these rows would give.
  struct Baseline {
    Index prediction = 0;  ///< the class
    double accuracy = 0;
  };
  [[nodiscard]] Baseline baseline() const;
  [[nodiscard]] double log_loss() const;        ///< mean of -log p(y | x); may be infinite
  [[nodiscard]] double brier() const;           ///< mean of sum_k (p_k - [y = k])^2
  [[nodiscard]] double log_likelihood() const;  ///< sum of log p(x, y); NaN for a linear model
  [[nodiscard]] Index impossible() const { return impossible_; }
  /// Cells with a category that the model has never seen.
  [[nodiscard]] Index unseen() const { return unseen_; }
  [[nodiscard]] const std::vector<UnseenLevel>& unseen_levels() const { return unseen_levels_; }
  /// What the rows lacked; they were judged by what is there.
  [[nodiscard]] const MissingCells& missing() const { return missing_; }
  /// Rows by truth and prediction, K x K.
  [[nodiscard]] Index confusion(Index truth, Index prediction) const;
  [[nodiscard]] double confusion_weight(Index truth, Index prediction) const;

  /// Mean cost; without costs the error rate. Where costs have a price of review, such rows cost
  /// it.
  [[nodiscard]] double risk() const;
  [[nodiscard]] Index rejected() const { return rejected_; }
  [[nodiscard]] double coverage() const;  ///< share of the rows that were decided
  /// Mean cost of the rows that were decided; empty if none was.
  [[nodiscard]] std::optional<double> selective_risk() const;

  /// Whether probabilities are what they say: rows by their largest posterior, in 15 bins of equal
  /// width. What is compared with the truth is the most probable class, whatever errors cost.
  [[nodiscard]] std::vector<ReliabilityBin> reliability() const;
  /// Expected calibration error: mean distance of accuracy and confidence, over the rows.
  [[nodiscard]] double expected_calibration_error() const;
  /// Of two classes, with rows of both: how well the posterior of class `positive` ranks the rows.
  /// Throws Error (bad_argument) if `positive` is not a class.
  [[nodiscard]] std::optional<double> area_under_roc(Index positive = 1) const;
  /// The same of the mean precision.
  [[nodiscard]] std::optional<double> average_precision(Index positive = 1) const;

  struct ClassScores {
    double precision = 0, recall = 0,
           f1 = 0;  ///< 0 where nothing was predicted or nothing is there
    Index support = 0;
    double weight = 0;  ///< of the rows of the class
  };
  [[nodiscard]] ClassScores scores(Index k) const;

 private:
  struct Judged {  // rows of the data and their true classes
    std::vector<Index> rows, truths;
    std::vector<double> weights;
    std::vector<Index> copies;  // how many equal rows each stands for
  };
  [[nodiscard]] Judged sort_out(const Rows& rows);
  void count(ClassifierRef model, const Judged& judged, const Answers& answers);
  struct Decided {  // one row
    Index truth;
    Index copies;
    double weight;
    std::int32_t decision;  // a class, also if it is not made
    bool rejected;          // because no class is probable enough
    bool reviewed;          // because that costs less
  };
  void count_decision(const Decided& row);
  void merge_probabilities(const Evaluation& other);
  struct Confident {  // one row
    Index truth;
    Index copies;
    double weight;
    std::int32_t label;  // the most probable
    std::span<const double> posterior;
  };
  void count_confidence(const Confident& row);
  struct Ranked {  // posteriors of a class, by whether it is the true one
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
  double cost_ = 0, decided_cost_ = 0;  // sums: of all rows, of those not rejected
  double log_loss_ = 0, brier_ = 0, log_likelihood_ = 0;  // sums
  static constexpr std::size_t bins_ = 15;
  struct BinSums {
    Index rows = 0;
    double weight = 0, right = 0, confidence = 0;  // sums of weights, and weighted
  };
  std::array<BinSums, bins_> bin_sums_{};
  struct TwoPosteriors {
    std::array<double, 2> of_class;
    double weight;
  };
  std::array<std::vector<TwoPosteriors>, 2> posteriors_{};  // of two classes, by the truth
};

/// Every figure of an evaluation, as `genera evaluate --json` prints it. Of two classes the rank
/// statistics are about class `positive`, which is ignored otherwise. `log_likelihood` is null for
/// a linear model, `confidence` and `accuracy` in a bin without rows.
[[nodiscard]] Facts facts(const Evaluation& evaluation, Index positive = 1);

/// How far two groupings of the same rows agree (Hubert and Arabie 1985): 1 if they are the same up
/// to names, 0 on average if they have nothing to do with each other. Rows by both, e.g. labels x
/// groups.
[[nodiscard]] double adjusted_rand_index(const Matrix& counts);

/// What groups of rows are like: the classes of a model of Gaussians, such as cluster() finds.
struct GroupProfiles {
  std::vector<std::string> columns{};  ///< d
  Vector means{}, deviations{};        ///< of all rows, over the cells that are there (divisor n)
  std::vector<Index> rows{};           ///< whose most probable group it is, by group
  Vector shares{};                     ///< of the groups: their priors
  Matrix away{};                       ///< groups x d: (mean of the group - mean) / deviation
};
/// Throws Error (bad_model) if a block of the model is not Gaussian.
[[nodiscard]] GroupProfiles group_profiles(const Model& model, const Table& table,
                                           const Control& control = {});

/// `groups`: their names.
[[nodiscard]] Facts facts(const GroupProfiles& profiles, const std::vector<std::string>& groups);

/// One pass over the rows; probabilities are kept for rankings, K doubles a row. Throws Error
/// (bad_data) also if there are rows, but none that can be judged.
[[nodiscard]] Evaluation evaluate(ClassifierRef model, RowsRef rows, const DecisionRule& rule = {},
                                  const Control& control = {},
                                  OtherLabels others = OtherLabels::leave_out);

}  // namespace genera
