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

/// Matrices for subtract_outer() have this multiple of columns.
inline constexpr Index outer_columns = 8;
/// lower(j, t) -= column[j] column[t] for first <= t <= j. What is right of the diagonal may be
/// overwritten; `column`, which is as long as a row, is zero before `first`.
void subtract_outer(const double* column, Index first, Matrix& lower);

}  // namespace genera::kernel
