#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <genera/query.hpp>

/// What to do about a row, when errors do not all cost the same, when it may be better to say
/// nothing, and when classes are not as frequent as they were in training.
namespace genera {

/// What decisions cost: a row for each truth, a column for each decision, both in the order of
/// `classes()`. A negative cost is a gain. There may be one decision more: to have somebody look at
/// the row, at a price that may depend on the truth.
class Costs {
 public:
  /// `review`: its price for each truth; empty: it is not offered. Throws Error (bad_argument)
  /// unless `values` are K x K and the prices K finite numbers.
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

/// Costs as somebody wrote them down: classes are named, in any order.
struct CostTable {
  std::vector<std::string> truths{};     ///< of the rows
  std::vector<std::string> decisions{};  ///< of the columns
  Matrix values{};
  std::string source{};               ///< the file they came from, if any
  std::vector<std::int64_t> lines{};  ///< there: of the header, then of each row
};

/// Brings them into the order of `classes`, found by name as labels are. A decision `review` that
/// is not a class is the price of review. Throws Error (bad_argument; bad_data if they came from a
/// file) on a name that is not a class (with the nearest), a class that comes twice or not at all.
[[nodiscard]] Costs costs_for(const std::vector<std::string>& classes, const CostTable& table);

/// From a CSV matrix: the header names the decisions behind a first cell that may hold anything,
/// each line has the truth and its costs. Throws Error (bad_data) with file and line.
[[nodiscard]] Costs read_costs(const Source& source, const std::vector<std::string>& classes);

/// How posterior probabilities become decisions.
struct DecisionRule {
  std::optional<Costs> costs{};    ///< empty: every error costs 1
  std::optional<double> reject{};  ///< none is made where the largest posterior is below; in [0, 1]
  friend bool operator==(const DecisionRule&, const DecisionRule&) = default;
};
/// Whether some rows may be left undecided: there is a threshold or a price of review.
[[nodiscard]] bool may_reject(const DecisionRule& rule);
/// Throws Error (bad_argument) if `reject` is out of range or the costs are of other classes.
void validate(const DecisionRule& rule, const std::vector<std::string>& classes);

/// The decision a with the least expected cost sum_k p_k c(k, a) for each row of posteriors (n x
/// K); ties go to the first, and review comes last. -1 where it is rejected, or review costs less.
[[nodiscard]] std::vector<std::int32_t> decide(const Matrix& posterior, const DecisionRule& rule);
/// The same for answers that a model gave, whose labels hold where there are no costs. Throws Error
/// (bad_argument) if the posteriors are needed and are not there.
[[nodiscard]] std::vector<std::int32_t> decide(const Answers& answers, const DecisionRule& rule);

/// Priors of other rows than those the model learned from.
struct PriorEstimate {
  Prior prior;
  int iterations = 0;
  bool converged = false;  ///< the last step changed no prior by more than 1e-10
};

/// The class proportions that make these rows most likely, if only the proportions have changed
/// (label shift): EM of Saerens, Latinne and Decaestecker 2002. `posterior` is that of the rows
/// under model.prior(); a class with prior 0 keeps it. Same bits for any number of threads.
/// Throws Error (bad_data) without rows, (bad_argument) if the posteriors
/// cannot be the model's.
[[nodiscard]] PriorEstimate estimate_priors(const Model& model, const Matrix& posterior,
                                            const Control& control = {});
/// The same from the rows themselves, in one pass. K doubles a row are kept meanwhile.
[[nodiscard]] PriorEstimate estimate_priors(const Model& model, RowsRef rows,
                                            const Control& control = {});

}  // namespace genera
