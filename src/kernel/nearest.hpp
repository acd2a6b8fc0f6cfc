#pragma once

#include <genera/types.hpp>

namespace genera::kernel {

/// Points in d columns, stored consecutively.
struct Points {
  const double* data;
  Index count, columns;
};

/// For each row of a panel (kernel/panel.hpp: d x 16, lanes are rows): if squares[lane] exceeds the
/// squared distance to some point, replaces it by the smallest such distance and sets place[lane]
/// to the first point at that distance.
void find_nearest(const Points& points, const double* panel, double* squares, double* place);

}  // namespace genera::kernel
