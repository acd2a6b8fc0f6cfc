#pragma once

#include <optional>
#include <vector>

#include <genera/blocks.hpp>

#include "blocks/worker.hpp"
#include "kernel/cholesky.hpp"

namespace genera::blocks {

/// Contributions of the columns of Gaussian densities to the log-odds of two classes, and the
/// remainder that belongs to no column. With diagonal or shared covariances, each column has one
/// contribution; for a class's own covariance, column j contributes
/// (x - mean)_j (covariance^-1 (x - mean))_j to the quadratic form. Factorises only the classes of
/// requested pairs.
class GaussianEvidence {
 public:
  /// The parameters must outlive it.
  explicit GaussianEvidence(const GaussianParameters& parameters);
  /// The difference of the log constants.
  [[nodiscard]] double base(Pair pair);
  /// The contribution of each column to the log-odds of x.
  [[nodiscard]] Vector shares(const Vector& x, Pair pair);
  /// The contributions of the columns to -D^2_k / 2.
  [[nodiscard]] Vector quadratic_shares(const Vector& x, Index k);

 private:
  [[nodiscard]] const kernel::Factor& factor(Index k);
  [[nodiscard]] bool is_shared() const;
  [[nodiscard]] double variance(Index k, Index column) const;
  [[nodiscard]] double log_det(Index k);
  [[nodiscard]] Vector solve(Index k, const Vector& y);
  [[nodiscard]] double square_share(Index k, const Vector& y, Index column);
  [[nodiscard]] Vector linear_shares(const Vector& x, Pair pair);

  const GaussianParameters* parameters_;
  std::vector<std::optional<kernel::Factor>> factors_;  // for full covariances
};

}  // namespace genera::blocks
