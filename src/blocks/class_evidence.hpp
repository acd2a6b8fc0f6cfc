#pragma once

#include <cmath>

#include <genera/prior.hpp>

namespace genera::blocks {

/// Mean probability in the other classes, weighted by their priors.
[[nodiscard]] inline double of_others(const Prior& prior, const Matrix& table, Index k,
                                      Index column) {
  double sum = 0, weight = 0, plain = 0;
  for (Index l = 0; l < table.rows(); ++l) {
    if (l == k) continue;
    const double share = prior.probabilities()[static_cast<std::size_t>(l)];
    sum += share * table(l, column);
    weight += share;
    plain += table(l, column) / static_cast<double>(table.rows() - 1);
  }
  return weight > 0 ? sum / weight : plain;
}

/// Log ratio, in nats, of the probability of a column of the table in class k to that in the other
/// classes; 0 if both are zero.
[[nodiscard]] inline double log_ratio_to_others(const Prior& prior, const Matrix& table, Index k,
                                                Index column) {
  const double p = table(k, column), q = of_others(prior, table, k, column);
  return p == q ? 0 : std::log(p) - std::log(q);
}

}  // namespace genera::blocks
