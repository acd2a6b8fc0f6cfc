#pragma once

#include <array>
#include <functional>
#include <vector>

#include <genera/figure.hpp>

#include "figure/shown.hpp"

/// Curves between grid cells of different classes. Every cell of four places is split into two
/// triangles, which are unambiguous: they contain no curve, one curve through two sides, or three
/// that meet.
namespace genera::figure {

[[nodiscard]] Grid grid_over(const Range& x, const Range& y, Index columns, Index rows);
/// The places of a grid, row by row: cells x 2.
[[nodiscard]] Matrix places_of(const Grid& grid);

/// Curves on which the two largest scores are equal, to about 1e-9: searched along the sides of the
/// triangles and, where three classes meet, inside. `scores` belong to the places.
[[nodiscard]] std::vector<Curve> trace_boundaries(const Shown& model, const Grid& grid,
                                                  const Matrix& scores);

/// Contour of a field at `level`, by linear interpolation along the sides.
[[nodiscard]] std::vector<Curve> trace_level(const Grid& grid, const Vector& field, double level);

/// Points at which the most probable class changes along a line, to about 1e-9; `scores` belong to
/// `x`.
[[nodiscard]] Vector trace_changes(const Shown& model, const Vector& x, const Matrix& scores);

/// Index of the largest score of each row; ties go to the first.
[[nodiscard]] std::vector<std::int32_t> largest(const Matrix& scores);

}  // namespace genera::figure
