#pragma once

#include <span>
#include <vector>

#include "blocks/normals.hpp"

namespace genera::blocks {

/// The densities of some columns, one per class.
[[nodiscard]] std::vector<Normal> normals_of(const GaussianParameters& p,
                                             std::span<const Index> columns);

}  // namespace genera::blocks
