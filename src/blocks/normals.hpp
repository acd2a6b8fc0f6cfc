#pragma once

#include <span>
#include <string>
#include <vector>

#include <genera/blocks.hpp>

namespace genera::blocks {

/// A normal component of the density of a class.
struct Normal {
  Index of_class = 0;
  double weight = 1;  ///< weights of a class sum to one
  Vector mean{};
  Matrix covariance{};
};

/// Components of the class densities over some columns of a block, given as indices of its
/// features. Empty if the block is not a mixture of normals.
[[nodiscard]] std::vector<Normal> normals(const Block& block, std::span<const Index> columns);

/// A block with these components, which must be grouped by class in order. Throws Error (bad_model)
/// if a covariance is singular.
[[nodiscard]] Block block_of(const std::vector<Normal>& normals,
                             const std::vector<std::string>& columns);

}  // namespace genera::blocks
