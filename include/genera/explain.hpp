#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <genera/query.hpp>

namespace genera {

/// Contribution of a feature to one class against another, in nats. The feature is a column, a
/// `column=level`, a word (`column:word` if there are several text columns), or `!word` for the
/// absence of a word.
struct Evidence {
  std::string feature;
  double log_odds = 0;
};

/// Why a row was assigned to its class and not to the second most probable one: base + the sum of
/// all contributions is the log posterior odds, to 1e-12 of the largest of them.
struct Explanation {
  std::int32_t best = 0;
  std::int32_t second = -1;  ///< -1: there is only one class
  double log_odds = 0;       ///< of the best class against the second
  double base = 0;  ///< independent of the features: prior odds or intercepts, log determinants
  std::vector<Evidence> evidence{};  ///< sorted by decreasing absolute value
  double rest = 0;                   ///< sum over all other features
};

/// The `max` largest contributions for each row. Naive blocks and shared covariances have one
/// contribution per column. With class covariances, the contribution of column j to the quadratic
/// form is (x - mean)_j (covariance^-1 (x - mean))_j. The columns of a mixture have one joint
/// contribution, named mixture(a, b, ...). For a committee, the contributions of each member are
/// weighted by its part in the decision, v_m (p_m(best | x) + p_m(second | x)); the rest of the log
/// odds of the pool is the last contribution, named `between models`. A row that is impossible
/// under every class has its prior odds and no contributions.
[[nodiscard]] std::vector<Explanation> explain(ClassifierRef model, const Rows& rows, Index max,
                                               const Control& control = {});
/// The same, given the answers() about these rows: log joints, labels and log posteriors. Without
/// log posteriors, the second class of rows far out is arbitrary.
[[nodiscard]] std::vector<Explanation> explain(ClassifierRef model, const Rows& rows,
                                               const Answers& answers, Index max,
                                               const Control& control = {});

/// For each class the `max` levels and terms with the largest log p(term | class) - log p(term |
/// other classes, weighted by their priors); for a linear model, the coefficient minus its mean
/// over the classes. Sorted in decreasing order; empty if the model has only numeric columns.
[[nodiscard]] std::vector<std::vector<Evidence>> strongest_evidence(ClassifierRef model, Index max);

/// A numeric column and the evidence that its class mean provides.
struct NumberEvidence {
  std::string column;
  double mean = 0;      ///< of the class
  double log_odds = 0;  ///< in nats
};
/// For each class the `max` columns of Gaussian blocks with the largest marginal log p(mean |
/// class) - log p(mean | other classes, weighted by their priors) at the class mean. Sorted in
/// decreasing order; empty if the model has no such column or one class only.
[[nodiscard]] std::vector<std::vector<NumberEvidence>> strongest_numbers(ClassifierRef model,
                                                                         Index max);

}  // namespace genera
