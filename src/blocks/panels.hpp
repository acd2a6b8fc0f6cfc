#pragma once

#include <algorithm>

#include "data/columns.hpp"
#include "kernel/panel.hpp"

/// Rows in the layout of the panel kernels.
namespace genera::blocks {

[[nodiscard]] constexpr Index panels_of(Index rows) {
  return (rows + kernel::panel_rows - 1) / kernel::panel_rows;
}
[[nodiscard]] constexpr Index lanes_of(Index rows, Index panel) {
  return std::min(kernel::panel_rows, rows - panel * kernel::panel_rows);
}

/// The part of `ahead` to prefetch while panel p of `panels` is processed.
[[nodiscard]] inline kernel::Ahead part_of(const kernel::Ahead& ahead, Index p, Index panels) {
  const Index bytes = ahead.end - ahead.begin;
  return {ahead.begin + bytes * p / panels, ahead.begin + bytes * (p + 1) / panels};
}

/// Consecutive panels of rows.
struct Panels {
  const double* data;
  Index count;
  Index lanes_of_last;
  kernel::Ahead next{};  ///< the memory of the following rows
  [[nodiscard]] kernel::Ahead ahead(Index p) const { return part_of(next, p, count); }
  [[nodiscard]] Index lanes(Index p) const {
    return p + 1 == count ? lanes_of_last : kernel::panel_rows;
  }
};

/// Memory of the rows after the positions [begin, end), as many again.
[[nodiscard]] inline kernel::Ahead following_rows(const data::NumberColumns& columns,
                                                  const Rows& rows, Index begin, Index end) {
  return rows.contiguous() ? columns.memory_of(rows.row(begin) + end - begin, end - begin)
                           : kernel::Ahead();
}

/// Copies positions [begin, end) of `rows` into consecutive panels. Stops and returns false at the
/// first panel with a number that is not finite, unless `all` is set.
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

}  // namespace genera::blocks
