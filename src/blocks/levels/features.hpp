#pragma once

#include <string>

#include <genera/discrete.hpp>

namespace genera::blocks {

/// "column=level".
[[nodiscard]] inline std::string level_name(const std::string& column, const std::string& level) {
  return column + "=" + level;
}

/// The features of naive columns are their levels, column by column.
[[nodiscard]] inline Index level_feature(const CategoricalParameters& p, Index column,
                                         Index level) {
  Index before = 0;
  for (Index j = 0; j < column; ++j) before += std::ssize(p.levels[static_cast<std::size_t>(j)]);
  return before + level;
}

[[nodiscard]] inline std::string level_name(const CategoricalParameters& p, Index feature) {
  std::size_t j = 0;
  for (; feature >= std::ssize(p.levels[j]); ++j) feature -= std::ssize(p.levels[j]);
  return level_name(p.columns[j], p.levels[j][static_cast<std::size_t>(feature)]);
}

}  // namespace genera::blocks
