#pragma once

#include <array>
#include <functional>
#include <vector>

#include <genera/figure.hpp>

#include "figure/shown.hpp"

/// Lines between the cells of a grid that differ. Every cell of four places is two triangles, in
/// which nothing is ambiguous: no line, one line through two sides, or three that meet.
namespace genera::figure {

[[nodiscard]] Grid grid_over(const Range& x, const Range& y, Index columns, Index rows);
/// Its places, row after row: cells x 2.
[[nodiscard]] Matrix places_of(const Grid& grid);

/// Where the two largest scores are equal, to about 1e-9: found along the sides of the triangles
/// and, where three classes meet, inside of them. `scores` are those of the places.
[[nodiscard]] std::vector<Curve> trace_boundaries(const Shown& model, const Grid& grid,
                                                  const Matrix& scores);

/// Where a field, given at the places, has the value `level`: linear along the sides.
[[nodiscard]] std::vector<Curve> trace_level(const Grid& grid, const Vector& field, double level);

/// Where the most probable class changes on a line, to about 1e-9; `scores` are those of `x`.
[[nodiscard]] Vector trace_changes(const Shown& model, const Vector& x, const Matrix& scores);

/// The place of the largest score of each row; ties go to the first.
[[nodiscard]] std::vector<std::int32_t> largest(const Matrix& scores);

}  // namespace genera::figure
