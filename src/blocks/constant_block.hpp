#pragma once

#include <algorithm>
#include <string>

#include <genera/blocks.hpp>

/// Blocks that say nothing: the same density in every class, for models of priors alone.
namespace genera::blocks {

/// A category with one level.
[[nodiscard]] inline Block constant_category(const std::string& column, const std::string& level,
                                             const Vector& counts) {
  return CategoricalBlock({.columns = {column},
                           .levels = {{level}},
                           .probabilities = {Matrix(std::ssize(counts), 1, 1.0)},
                           .counts = counts});
}

}  // namespace genera::blocks
