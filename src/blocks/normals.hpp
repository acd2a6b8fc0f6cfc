#pragma once

#include <span>
#include <string>
#include <vector>

#include <genera/blocks.hpp>

namespace genera::blocks {

/// A normal density that is a part of the density of a class.
struct Normal {
  Index of_class = 0;
  double weight = 1;  ///< those of a class sum to one
  Vector mean{};
  Matrix covariance{};
};

/// Of which the densities of the classes are sums, over some of the columns of a block: those of
/// its features by place. Empty: the block has none.
[[nodiscard]] std::vector<Normal> normals(const Block& block, std::span<const Index> columns);

/// The block of such densities; those of a class stand together, in the order of the classes.
/// Throws Error (bad_model) if a covariance is singular.
[[nodiscard]] Block block_of(const std::vector<Normal>& normals,
                             const std::vector<std::string>& columns);

}  // namespace genera::blocks
