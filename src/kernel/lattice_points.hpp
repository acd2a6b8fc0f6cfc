#pragma once

#include <vector>

#include <genera/types.hpp>

#include "kernel/aligned.hpp"
#include "kernel/normal_box.hpp"

/// The integrand of Genz's separation of variables (1992) on the points of a shifted lattice.
namespace genera::kernel {

/// P(low_i <= y_i + sum_{t<i} slope_it y_t <= high_i for all i), y_i independent standard normal.
struct SeparatedBox {
  std::vector<Interval> box{};
  Vector slopes{};  ///< row by row: i of them in row i
  Vector tilts{};   ///< means of the y_i under the sampling distribution
};

/// Random shifts of the lattice, one per lane.
inline constexpr Index lattice_shifts = 16;

/// Point n of shift s has the coordinates |2 frac(position(n) step_i + shift_is) - 1|.
struct ShiftedLattice {
  Vector steps{};          ///< one per column
  AlignedVector shifts{};  ///< 16 per column
};

/// Sums of the integrand, one per shift: sum_s exp(largest_s).
struct LatticeSums {
  static constexpr double nothing = -1e300;  ///< `largest` of an empty sum

  LatticeSums();
  void add(const LatticeSums& other);

  alignas(64) double largest[lattice_shifts];
  alignas(64) double sum[lattice_shifts];
};

inline constexpr int max_lattice_bits = 24;
[[nodiscard]] double lattice_position(Index n);

/// Adds the points first, ..., end - 1 of each shift.
void add_lattice_points(const SeparatedBox& box, const ShiftedLattice& lattice, Index first,
                        Index end, LatticeSums& sums);

/// Matrices for subtract_outers() have this multiple of columns.
inline constexpr Index outer_columns = 8;
/// lower(j, t) -= columns(i, j) columns(i, t), summed over i, for first <= t <= j. What is right of
/// the diagonal may be overwritten; `columns`, 1 or 4 rows as long as those of `lower`, is zero
/// before `first`.
void subtract_outers(const Matrix& columns, Index first, Matrix& lower);

/// What the columns of a box say of its probability: it is at most exp(log_most) and at least
/// 1 - missed.
struct ColumnBounds {
  double log_most = 0, missed = 1;
};
/// Columns with these intervals, relative to their means, and variances. Rounded to the safe side.
[[nodiscard]] ColumnBounds column_bounds(const AlignedVector& low, const AlignedVector& high,
                                         const AlignedVector& variances);

}  // namespace genera::kernel
