#pragma once

#include <cstdint>
#include <vector>

#include <genera/random.hpp>

#include "kernel/aligned.hpp"
#include "kernel/gather.hpp"

namespace genera::testing {

inline Matrix random_matrix(Index rows, Index columns, std::uint64_t seed) {
  Rng rng(seed);
  Matrix m(rows, columns);
  for (Index i = 0; i < rows; ++i) {
    for (double& value : m.row(i)) value = rng.normal();
  }
  return m;
}

inline kernel::AlignedVector panel_of(const Matrix& rows, Index first, Index lanes) {
  std::vector<Index> columns;
  for (Index j = 0; j < rows.columns(); ++j) columns.push_back(j);
  kernel::AlignedVector panel(static_cast<std::size_t>(rows.columns() * kernel::panel_rows), -7);
  kernel::gather_panel(rows, kernel::PanelLayout(columns), first, lanes, panel.data());
  return panel;
}

}  // namespace genera::testing
