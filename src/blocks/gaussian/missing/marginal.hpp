#pragma once

#include <span>

#include <genera/blocks.hpp>

namespace genera::detail {

/// The marginal densities of some columns of a block.
[[nodiscard]] GaussianParameters marginal(const GaussianParameters& whole,
                                          std::span<const Index> columns);

/// Means and covariances of class (or component) k in some columns.
[[nodiscard]] GaussianParameters marginal_of_class(const GaussianParameters& whole,
                                                   std::span<const Index> columns, Index k);

}  // namespace genera::detail
