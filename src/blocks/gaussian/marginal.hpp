#pragma once

#include <span>

#include <genera/blocks.hpp>

namespace genera::detail {

/// The densities of some columns of a block alone: the others are marginalised.
[[nodiscard]] GaussianParameters marginal(const GaussianParameters& whole,
                                          std::span<const Index> columns);

}  // namespace genera::detail
