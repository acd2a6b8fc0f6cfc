#pragma once

#include <genera/types.hpp>

namespace genera::kernel {

/// Points in d columns, one after the other.
struct Points {
  const double* data;
  Index count, columns;
};

/// Of the rows of a panel (kernel/panel.hpp: d x 16, lanes are rows): where squares[lane] is more
/// than the squared distance to one of the points, it becomes that of the nearest one, the first of
/// several, and place[lane] the number of the point.
void find_nearest(const Points& points, const double* panel, double* squares, double* place);

}  // namespace genera::kernel
