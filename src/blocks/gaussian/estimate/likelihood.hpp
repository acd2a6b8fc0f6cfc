#pragma once

#include <span>

#include <genera/blocks.hpp>
#include <genera/stats.hpp>

#include "kernel/cholesky.hpp"

/// What sums say about Gaussian densities without their rows.
namespace genera::blocks {

/// A with A' A = S^-1, and log |S|. S is positive definite, or it would not be in a block.
[[nodiscard]] kernel::Factor factor_of(const Matrix& covariance);

/// tr(S^-1 M) for a symmetric M, of which the diagonal may be all there is.
[[nodiscard]] double trace_of(const kernel::Factor& factor, const Matrix& m);

/// What a prior of so many rows with these variances and no correlations says of a covariance S:
/// -rows/2 (log |S| + tr(S^-1 D^2)).
[[nodiscard]] double log_prior(const Matrix& covariance, double rows, const Vector& variances);

/// Sum over the rows of all classes of log N(x; mean_k, covariance_k), from the moments of each
/// class.
[[nodiscard]] double log_likelihood(const GaussianBlock& block, std::span<const Moments> moments);

}  // namespace genera::blocks
