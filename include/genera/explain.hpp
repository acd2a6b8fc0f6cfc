#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <genera/query.hpp>

namespace genera {

/// A feature and what it says for one class against others, in nats. The feature is a column, a
/// `column=level`, a word (`column:word` if there are several text columns), or `!word` for a word
/// that is not there.
struct Evidence {
  std::string feature;
  double log_odds = 0;
};

/// Why a row was given to its class and not to the next best: base + the sum of all evidence is the
/// log posterior odds, to 1e-12 of the largest of them.
struct Explanation {
  std::int32_t best = 0;
  std::int32_t second = -1;  ///< -1: there is only one class
  double log_odds = 0;       ///< of the best against the second
  double base = 0;           ///< due to no feature: prior odds or intercepts, log determinants
  std::vector<Evidence> evidence{};  ///< the largest in absolute value first
  double rest = 0;                   ///< all other features together
};

/// For each row the `max` features that count most. Naive blocks and shared covariances have one
/// share per column; for a covariance of its own the share of column j in the quadratic form is
/// (x - mean)_j (covariance^-1 (x - mean))_j; the columns of a mixture have one share together,
/// named mixture(a, b, ...). A row impossible under every class has its prior odds
/// and no evidence.
[[nodiscard]] std::vector<Explanation> explain(ClassifierRef model, const Rows& rows, Index max,
                                               const Control& control = {});
/// The same with the answers() about these rows, which are not computed again: log joints and
/// labels, and log posteriors, without which the second class of rows far out is arbitrary.
[[nodiscard]] std::vector<Explanation> explain(ClassifierRef model, const Rows& rows,
                                               const Answers& answers, Index max,
                                               const Control& control = {});

/// For each class the `max` levels and terms that speak most for it: log p(it | class) - log p(it
/// | the other classes, weighted by their priors). Of a linear model: the coefficient less its mean
/// over the classes. Largest first; empty if the model has only measurements.
[[nodiscard]] std::vector<std::vector<Evidence>> strongest_evidence(ClassifierRef model, Index max);

/// A column of numbers, and what its mean in a class says for that class.
struct NumberEvidence {
  std::string column;
  double mean = 0;      ///< in the class
  double log_odds = 0;  ///< in nats
};
/// For each class the `max` columns of Gaussian blocks whose mean in the class, seen alone, speaks
/// most for it: log p(mean | class) - log p(mean | the other classes, weighted by their priors).
/// Largest first; empty if the model has no such column or one class only.
[[nodiscard]] std::vector<std::vector<NumberEvidence>> strongest_numbers(ClassifierRef model,
                                                                         Index max);

}  // namespace genera
