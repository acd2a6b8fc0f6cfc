#pragma once

#include <algorithm>
#include <string>

#include <genera/blocks.hpp>

/// Blocks with the same density in every class, for models of priors alone.
namespace genera::blocks {

/// A categorical column with one level.
[[nodiscard]] inline Block constant_category(const std::string& column, const std::string& level,
                                             const Vector& counts) {
  return CategoricalBlock({.columns = {column},
                           .levels = {{level}},
                           .probabilities = {Matrix(std::ssize(counts), 1, 1.0)},
                           .counts = counts});
}

}  // namespace genera::blocks
