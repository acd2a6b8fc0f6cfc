#pragma once

#include <optional>
#include <vector>

#include <genera/blocks.hpp>

#include "blocks/worker.hpp"
#include "kernel/cholesky.hpp"

namespace genera::blocks {

/// What the columns of Gaussian densities say for one class against another, and what none of them
/// does. Naive and shared covariances have one share per column; for a covariance of its own the
/// share of column j in the quadratic form is (x - mean)_j (covariance^-1 (x - mean))_j.
/// Factors are made for the classes that are asked about.
class GaussianEvidence {
 public:
  /// The parameters must outlive it.
  explicit GaussianEvidence(const GaussianParameters& parameters);
  /// The difference of the log constants.
  [[nodiscard]] double base(Pair pair);
  /// The share of each column in the log-odds of x.
  [[nodiscard]] Vector shares(const Vector& x, Pair pair);

 private:
  [[nodiscard]] const kernel::Factor& factor(Index k);
  [[nodiscard]] bool is_shared() const;
  [[nodiscard]] double variance(Index k, Index column) const;
  [[nodiscard]] double log_det(Index k);
  [[nodiscard]] Vector solve(Index k, const Vector& y);
  [[nodiscard]] double square_share(Index k, const Vector& y, Index column);
  [[nodiscard]] Vector quadratic_shares(const Vector& x, Index k);
  [[nodiscard]] Vector linear_shares(const Vector& x, Pair pair);

  const GaussianParameters* parameters_;
  std::vector<std::optional<kernel::Factor>> factors_;  // of full covariances
};

}  // namespace genera::blocks
