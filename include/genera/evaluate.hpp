#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <genera/decisions.hpp>
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

/// How good predictions are; additive over rows until the ratios are taken. What is judged are the
/// decisions under `rule`, all of them: rejected ones are counted as well.
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
  [[nodiscard]] Index rows() const { return rows_; }  ///< that were judged
  [[nodiscard]] const LeftOut& left_out() const { return left_out_; }
  [[nodiscard]] Index errors() const;
  [[nodiscard]] double accuracy() const;
  [[nodiscard]] double error_rate() const;
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

  [[nodiscard]] double risk() const;  ///< mean cost; without costs the error rate
  [[nodiscard]] Index rejected() const { return rejected_; }
  [[nodiscard]] double coverage() const;  ///< share of the rows that were decided
  /// Mean cost of the rows that were decided; empty if none was.
  [[nodiscard]] std::optional<double> selective_risk() const;

  struct ClassScores {
    double precision = 0, recall = 0,
           f1 = 0;  ///< 0 where nothing was predicted or nothing is there
    Index support = 0;
  };
  [[nodiscard]] ClassScores scores(Index k) const;

 private:
  struct Judged {  // rows of the data and their true classes
    std::vector<Index> rows, truths;
  };
  [[nodiscard]] Judged sort_out(const Rows& rows);
  void count(ClassifierRef model, const Judged& judged, const Answers& answers);
  void count_decision(Index truth, std::int32_t decision, bool rejected);

  std::vector<std::string> classes_;
  DecisionRule rule_;
  OtherLabels others_;
  LeftOut left_out_{};
  std::vector<Index> confusion_;
  Index rows_ = 0;
  Index impossible_ = 0;
  Index unseen_ = 0;
  std::vector<UnseenLevel> unseen_levels_{};
  MissingCells missing_{};
  Index rejected_ = 0;
  double cost_ = 0, decided_cost_ = 0;  // sums: of all rows, of those not rejected
  double log_loss_ = 0, brier_ = 0, log_likelihood_ = 0;  // sums
};

/// How far two groupings of the same rows agree (Hubert and Arabie 1985): 1 if they are the same up
/// to names, 0 on average if they have nothing to do with each other. Rows by both, e.g. labels x
/// groups.
[[nodiscard]] double adjusted_rand_index(const Matrix& counts);

/// Throws Error (bad_data) also if there are rows, but none that can be judged.
[[nodiscard]] Evaluation evaluate(ClassifierRef model, const Rows& rows,
                                  const DecisionRule& rule = {}, const Control& control = {},
                                  OtherLabels others = OtherLabels::leave_out);
[[nodiscard]] Evaluation evaluate(ClassifierRef model, RowStream& rows,
                                  const DecisionRule& rule = {}, const Control& control = {},
                                  OtherLabels others = OtherLabels::leave_out);

}  // namespace genera
