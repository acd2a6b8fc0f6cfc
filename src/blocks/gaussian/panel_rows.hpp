#pragma once

#include <algorithm>
#include <cmath>

#include "data/columns.hpp"

namespace genera::blocks {

[[nodiscard]] constexpr Index panels_of(Index rows) {
  return (rows + kernel::panel_rows - 1) / kernel::panel_rows;
}
[[nodiscard]] constexpr Index lanes_of(Index rows, Index panel) {
  return std::min(kernel::panel_rows, rows - panel * kernel::panel_rows);
}

/// Copies positions [begin, end) of `rows` into panels, one after the other. Stops with false at
/// the first panel with a number that is not finite, unless `all` are wanted whatever they hold.
inline bool gather_panels(const data::NumberColumns& columns, const Rows& rows, Index begin,
                          Index end, double* panels, bool all = false) {
  const Index size = columns.count() * kernel::panel_rows;
  bool finite = true;
  for (Index p = 0; p < panels_of(end - begin) && (finite || all); ++p) {
    const Index first = begin + p * kernel::panel_rows, lanes = lanes_of(end - begin, p);
    if (rows.contiguous()) {
      finite = columns.gather_panel(rows.row(first), lanes, panels + p * size) && finite;
      continue;
    }
    Index list[kernel::panel_rows];
    for (Index lane = 0; lane < lanes; ++lane) list[lane] = rows.row(first + lane);
    finite =
        columns.gather_panel({list, static_cast<std::size_t>(lanes)}, panels + p * size) && finite;
  }
  return finite;
}

/// Whether these columns of the panels hold nothing but finite numbers.
inline bool are_finite(const double* panels, Index columns, Index rows,
                       std::span<const Index> observed) {
  for (Index p = 0; p < panels_of(rows); ++p) {
    for (const Index column : observed) {
      const double* cells = panels + (p * columns + column) * kernel::panel_rows;
      for (Index lane = 0; lane < lanes_of(rows, p); ++lane) {
        if (!std::isfinite(cells[lane])) return false;
      }
    }
  }
  return true;
}

/// Whether a row of the data has all of these columns.
inline bool is_complete(const data::NumberColumns& columns, Index row) {
  for (Index j = 0; j < columns.count(); ++j) {
    if (std::isnan(columns(row, j))) return false;
  }
  return true;
}

}  // namespace genera::blocks
