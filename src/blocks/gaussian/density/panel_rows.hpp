#pragma once

#include <cmath>

#include "blocks/panels.hpp"

namespace genera::blocks {

/// Whether these columns of the panels contain only finite numbers.
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

/// Whether a row of the data has values in all these columns.
inline bool is_complete(const data::NumberColumns& columns, Index row) {
  for (Index j = 0; j < columns.count(); ++j) {
    if (std::isnan(columns(row, j))) return false;
  }
  return true;
}

}  // namespace genera::blocks
