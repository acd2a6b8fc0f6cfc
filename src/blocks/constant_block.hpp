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

/// A number; its spread means nothing.
[[nodiscard]] inline Block constant_number(const std::string& column, double value,
                                           const Vector& counts) {
  return GaussianBlock({.family = Family::lda,
                        .columns = {column},
                        .means = Matrix(std::ssize(counts), 1, value),
                        .covariances = {Matrix(1, 1, std::max(1.0, value * value))},
                        .counts = counts});
}

}  // namespace genera::blocks
