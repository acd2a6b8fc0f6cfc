#pragma once

#include <span>

#include <genera/blocks.hpp>

#include "blocks/plan.hpp"

namespace genera::blocks {

/// As many complete rows as would say as much of the densities as these rows do: K x 1 of full
/// covariances, K x d of diagonal ones, whose columns are learned each by itself. Empty if that is
/// the number of rows.
[[nodiscard]] Matrix effective_counts(const GaussianParameters& parameters,
                                      std::span<const PatternWeight> rows);

/// Of class k, for column j of a diagonal covariance; the counts themselves if they are not told
/// apart. j = -1: the mean over the columns.
[[nodiscard]] double effective_count(const GaussianParameters& parameters, Index k, Index j);

}  // namespace genera::blocks
