#pragma once

#include <optional>
#include <string>
#include <vector>

#include <genera/decisions.hpp>
#include <genera/query.hpp>
#include <genera/stream.hpp>

namespace genera {

/// How good predictions are; additive over rows until the ratios are taken. What is judged are the
/// decisions under `rule`, all of them: rejected ones are counted besides.
class Evaluation {
 public:
  /// Throws Error (bad_argument) if the rule is not one for these classes.
  explicit Evaluation(std::vector<std::string> classes, DecisionRule rule = {});

  /// Asks the model about the rows and compares with their labels.
  /// Throws Error (bad_data) on a label that is no class of the model, naming line and label.
  void add(ClassifierRef model, const Rows& rows, const Control& control = {});
  void merge(const Evaluation& other);

  [[nodiscard]] const std::vector<std::string>& classes() const { return classes_; }
  [[nodiscard]] const DecisionRule& rule() const { return rule_; }
  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index errors() const;
  [[nodiscard]] double accuracy() const;
  [[nodiscard]] double error_rate() const;
  [[nodiscard]] double log_loss() const;        ///< mean of -log p(y | x); may be infinite
  [[nodiscard]] double brier() const;           ///< mean of sum_k (p_k - [y = k])^2
  [[nodiscard]] double log_likelihood() const;  ///< sum of log p(x, y); NaN for a linear model
  [[nodiscard]] Index impossible() const { return impossible_; }
  /// Cells with a category that the model has never seen.
  [[nodiscard]] Index unseen() const { return unseen_; }
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
  void count(ClassifierRef model, const Rows& rows, const Answers& answers);
  void count_decision(Index truth, std::int32_t decision, bool rejected);

  std::vector<std::string> classes_;
  DecisionRule rule_;
  std::vector<Index> confusion_;
  Index rows_ = 0;
  Index impossible_ = 0;
  Index unseen_ = 0;
  MissingCells missing_{};
  Index rejected_ = 0;
  double cost_ = 0, decided_cost_ = 0;  // sums: of all rows, of those not rejected
  double log_loss_ = 0, brier_ = 0, log_likelihood_ = 0;  // sums
};

[[nodiscard]] Evaluation evaluate(ClassifierRef model, const Rows& rows,
                                  const DecisionRule& rule = {}, const Control& control = {});
[[nodiscard]] Evaluation evaluate(ClassifierRef model, RowStream& rows,
                                  const DecisionRule& rule = {}, const Control& control = {});

}  // namespace genera
