#pragma once

#include <vector>

#include <genera/discrete.hpp>

namespace genera::detail {

/// The weights of a block as probabilities and smoothed weights.
class AodeWeights {
 public:
  explicit AodeWeights(const AodeParameters& parameters);

  /// p(x_j = v | k), K x levels.
  [[nodiscard]] const Matrix& marginal(std::size_t j) const { return marginals_[j]; }
  /// Weights of the levels of a (rows) and b (columns) in class k, a < b, smoothed along bins.
  [[nodiscard]] Matrix pair(std::size_t a, std::size_t b, Index k) const;
  /// Prior weight of p(x_j | k) in p(x_j | k, x_i).
  [[nodiscard]] double prior_rows() const { return parameters_.smoothing; }

 private:
  const AodeParameters& parameters_;
  std::vector<Matrix> marginals_;
};

}  // namespace genera::detail
