#pragma once

#include <span>

#include <genera/discrete.hpp>

namespace genera::detail {

/// Calls visit(cell) for each cell of the joint table that agrees with the known levels of a row
/// (-1: any), in the order of the table.
template <class Visit>
void for_each_cell(const JointParameters& p, std::span<const std::int32_t> known, Visit visit,
                   std::size_t column = 0, Index cell = 0) {
  if (column == p.levels.size()) {
    visit(cell);
    return;
  }
  const Index levels = std::ssize(p.levels[column]);
  const bool any = known[column] < 0;
  const Index begin = any ? 0 : known[column], end = any ? levels : begin + 1;
  for (Index level = begin; level < end; ++level)
    for_each_cell(p, known, visit, column + 1, cell * levels + level);
}

/// Writes the levels of a cell of the joint table.
inline void take_apart(const JointParameters& p, Index cell, std::span<std::int32_t> levels) {
  for (std::size_t j = p.levels.size(); j-- > 0;) {
    const Index count = std::ssize(p.levels[j]);
    levels[j] = static_cast<std::int32_t>(cell % count);
    cell /= count;
  }
}

}  // namespace genera::detail
