#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <genera/query.hpp>

/// Decisions from posteriors: unequal costs of errors, a reject option, and class proportions that
/// differ from those in training.
namespace genera {

/// Costs of decisions: a row for each true class, a column for each decision, both in the order of
/// `classes()`. A negative cost is a gain. Optionally there is one more decision, a review of the
/// row by a human, whose cost may depend on the true class.
class Costs {
 public:
  /// `review`: its cost for each true class; empty: not available. Throws Error (bad_argument)
  /// unless `values` are K x K and the review costs K finite numbers.
  Costs(std::vector<std::string> classes, Matrix values, Vector review = {});

  [[nodiscard]] const std::vector<std::string>& classes() const { return classes_; }
  [[nodiscard]] double operator()(Index truth, Index decision) const {
    return values_(truth, decision);
  }
  [[nodiscard]] bool offers_review() const { return !review_.empty(); }
  [[nodiscard]] double review(Index truth) const {
    return review_[static_cast<std::size_t>(truth)];
  }
  [[nodiscard]] Costs without_review() const { return {classes_, values_}; }
  friend bool operator==(const Costs&, const Costs&) = default;

 private:
  std::vector<std::string> classes_;
  Matrix values_;
  Vector review_;
};

/// A cost matrix as written by a user, with named classes in any order.
struct CostTable {
  std::vector<std::string> truths{};     ///< true classes, by row
  std::vector<std::string> decisions{};  ///< decisions, by column
  Matrix values{};
  std::string source{};               ///< its file, if any
  std::vector<std::int64_t> lines{};  ///< lines of the header and of each row in that file
};

/// Sorts the table into the order of `classes`; names match as labels do. A decision `review` that
/// is not a class gives the cost of review. Throws Error (bad_argument; bad_data if the table came
/// from a file) if a name is not a class (with the nearest), or a class occurs twice or not at all.
[[nodiscard]] Costs costs_for(const std::vector<std::string>& classes, const CostTable& table);

/// Reads a CSV matrix: the header lists the decisions after an arbitrary first cell; each line
/// contains a true class and its costs. Throws Error (bad_data) with file and line.
[[nodiscard]] Costs read_costs(const Source& source, const std::vector<std::string>& classes);

/// Rule that turns posteriors into decisions.
struct DecisionRule {
  std::optional<Costs> costs{};  ///< empty: every error costs 1
  /// rows with a smaller largest posterior are rejected; in [0, 1]
  std::optional<double> reject{};
  friend bool operator==(const DecisionRule&, const DecisionRule&) = default;
};
/// True if rows may be left undecided: there is a threshold or a cost of review.
[[nodiscard]] bool may_reject(const DecisionRule& rule);
/// Throws Error (bad_argument) if `reject` is out of range or the costs are of other classes.
void validate(const DecisionRule& rule, const std::vector<std::string>& classes);

/// For each row of posteriors (n x K) the decision a with the lowest expected cost sum_k p_k c(k,
/// a); ties go to the first, with review last. -1 if the row is rejected or review is cheaper.
[[nodiscard]] std::vector<std::int32_t> decide(const Matrix& posterior, const DecisionRule& rule);
/// The same for the answers of a model, whose labels are used if there are no costs. Throws Error
/// (bad_argument) if the posteriors are needed and missing.
[[nodiscard]] std::vector<std::int32_t> decide(const Answers& answers, const DecisionRule& rule);

/// Class proportions estimated for unlabelled rows.
struct PriorEstimate {
  Prior prior;
  int iterations = 0;
  bool converged = false;  ///< the last step changed no prior by more than 1e-10
};

/// Maximum likelihood class proportions of these rows under the assumption that only the
/// proportions have changed (label shift): EM of Saerens, Latinne and Decaestecker 2002.
/// `posterior` is that of the rows under model.prior(); a class with prior 0 keeps it. Same bits
/// for any number of threads. Throws Error (bad_data) without rows, (bad_argument) if `posterior`
/// is not one of this model.
[[nodiscard]] PriorEstimate estimate_priors(const Model& model, const Matrix& posterior,
                                            const Control& control = {});
/// The same from the rows, in one pass. Keeps K doubles per row in memory.
[[nodiscard]] PriorEstimate estimate_priors(const Model& model, RowsRef rows,
                                            const Control& control = {});

}  // namespace genera
