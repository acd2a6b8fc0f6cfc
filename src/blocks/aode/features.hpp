#pragma once

#include <string>

#include <fmt/format.h>

#include <genera/discrete.hpp>

#include "blocks/levels/features.hpp"

namespace genera::blocks {

/// "4.3 <= column < 5": the numbers of a bin.
[[nodiscard]] inline std::string bin_name(const std::string& column, const Cut& cut, Index bin) {
  const auto limit = [&](Index b) {
    return fmt::format("{:.6g}", cut.limits[static_cast<std::size_t>(b)]);
  };
  if (cut.bins() == 1) return column;
  if (bin == 0) return column + " < " + limit(0);
  if (bin + 1 == cut.bins()) return column + " >= " + limit(bin - 1);
  return limit(bin - 1) + " <= " + column + " < " + limit(bin);
}

/// The features are the levels and bins of all columns, column by column.
[[nodiscard]] inline std::string aode_feature(const AodeParameters& p, Index feature) {
  std::size_t j = 0;
  for (; feature >= std::ssize(p.levels[j]); ++j) feature -= std::ssize(p.levels[j]);
  const Column& column = p.columns[j];
  if (column.cut) return bin_name(column.name, *column.cut, feature);
  return level_name(column.name, p.levels[j][static_cast<std::size_t>(feature)]);
}

}  // namespace genera::blocks
