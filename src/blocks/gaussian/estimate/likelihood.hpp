#pragma once

#include <span>

#include <genera/blocks.hpp>
#include <genera/stats.hpp>

#include "kernel/cholesky.hpp"

/// Likelihoods of Gaussian densities from sums instead of rows.
namespace genera::blocks {

/// A with A' A = S^-1, and log |S|. S must be positive definite, as in every block.
[[nodiscard]] kernel::Factor factor_of(const Matrix& covariance);

/// tr(S^-1 M) for a symmetric M, possibly given by its diagonal alone.
[[nodiscard]] double trace_of(const kernel::Factor& factor, const Matrix& m);

/// Log prior of a covariance S from `rows` rows with these variances and no correlations:
/// -rows/2 (log |S| + tr(S^-1 D^2)).
[[nodiscard]] double log_prior(const Matrix& covariance, double rows, const Vector& variances);

/// Sum over the rows of all classes of log N(x; mean_k, covariance_k), from the moments of each
/// class.
[[nodiscard]] double log_likelihood(const GaussianBlock& block, std::span<const Moments> moments);

}  // namespace genera::blocks
