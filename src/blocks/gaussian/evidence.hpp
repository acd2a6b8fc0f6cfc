#pragma once

#include <vector>

#include <genera/blocks.hpp>

#include "blocks/worker.hpp"

namespace genera::blocks {

/// What the columns of a Gaussian block say for one class against another, and what none of them
/// does. Naive and shared covariances have one share per column; for a covariance of its own the
/// share of column j in the quadratic form is (x - mean)_j (covariance^-1 (x - mean))_j.
class GaussianEvidence {
 public:
  /// The block must outlive it.
  explicit GaussianEvidence(const GaussianBlock& block);
  /// The difference of the log constants.
  [[nodiscard]] double base(Pair pair) const;
  /// The share of each column in the log-odds of x.
  [[nodiscard]] Vector shares(const Vector& x, Pair pair) const;

 private:
  [[nodiscard]] Vector solve(Index k, const Vector& y) const;
  [[nodiscard]] double square_share(Index k, const Vector& y, Index column) const;
  [[nodiscard]] Vector quadratic_shares(const Vector& x, Index k) const;
  [[nodiscard]] Vector linear_shares(const Vector& x, Pair pair) const;

  const GaussianBlock* block_;
  std::vector<Matrix> inverse_factors_;  // of full covariances
};

}  // namespace genera::blocks
