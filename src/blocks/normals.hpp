#pragma once

#include <span>
#include <string>
#include <vector>

#include <genera/block_description.hpp>
#include <genera/blocks.hpp>

namespace genera::blocks {

/// A normal component of the density of a class.
struct Normal {
  Index of_class = 0;
  double weight = 1;  ///< weights of a class sum to one
  Vector mean{};
  Matrix covariance{};
  /// The density of the class is not a sum of these normal ones, which have its mean and
  /// covariance.
  bool approximate = false;
};

/// Components of the class densities over some columns of a block, given as indices of its
/// features. For t, kernel and binned densities, one approximate component per class; empty if the
/// block has no densities of numbers, or not of these columns.
[[nodiscard]] std::vector<Normal> normals(const Block& block, std::span<const Index> columns);

/// One approximate component per class, over some columns.
[[nodiscard]] std::vector<Normal> normals_with(const BlockDescription::Moments& moments,
                                               std::span<const Index> columns);

/// A block with these components, which must be grouped by class in order. Throws Error (bad_model)
/// if a covariance is singular.
[[nodiscard]] Block block_of(const std::vector<Normal>& normals,
                             const std::vector<std::string>& columns);

}  // namespace genera::blocks
