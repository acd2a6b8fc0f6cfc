#pragma once

#include <span>

#include <genera/blocks.hpp>

#include "blocks/plan.hpp"

namespace genera::blocks {

/// The number of complete rows with the same information about the densities: K x 1 for full
/// covariances, K x d for diagonal ones, whose columns are independent. Empty if it equals the
/// number of rows.
[[nodiscard]] Matrix effective_counts(const GaussianParameters& parameters,
                                      std::span<const PatternWeight> rows);

/// For class k and column j of a diagonal covariance; j = -1: the mean over the columns. The count
/// of the class if effective counts are absent.
[[nodiscard]] double effective_count(const GaussianParameters& parameters, Index k, Index j);

}  // namespace genera::blocks
