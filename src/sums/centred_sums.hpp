#pragma once

#include <algorithm>

#include <genera/stats.hpp>

#include "kernel/scatter.hpp"

namespace genera::sums {

/// Sums of deviations z from a centre c that is near the mean: the mean is c + r, r the mean of z,
/// and the scatter sum w z z' - W r r'. What is pointed at is somebody else's, panel_stride(d) of
/// it (of a full scatter its square), beginning with zeros.
struct CentredSums {
  Scatter kind = Scatter::full;
  Index columns = 0;
  double* centre = nullptr;
  double* sums = nullptr;
  double* scatter = nullptr;  ///< sum w z z', or its diagonal
  double* largest = nullptr;  ///< |z|, where squares vanish
  double weight = 0;

  /// The mean of a few rows; exactly the value of a column that is constant. Leaves sums in
  /// `sums` and `largest`.
  void find_centre(const kernel::RowsInMemory& rows, const double* weights) const;
  /// Adds rows up; for a full scatter by way of a panel with room for all of them.
  void add(const kernel::RowsInMemory& rows, const double* weights, double* panel,
           const kernel::RowsInMemory& ahead) const;
  /// Of the deviations.
  [[nodiscard]] double squares(Index j) const;
  /// Whether the centre is so far from the mean that the scatter would lose accuracy.
  [[nodiscard]] bool is_far_from_mean() const;
  /// Whether a column is constant, or its deviations are so small that only their size is known.
  [[nodiscard]] bool some_squares_vanish() const;
  /// `memory`: moments that nobody needs any more, to be written over.
  [[nodiscard]] Moments moments(Moments memory) const;

 private:
  [[nodiscard]] double diagonal(Index j, double around_mean) const;
};

/// Rows of a panel: it stays in the second-level cache, and three vectors of its columns in the
/// first.
[[nodiscard]] constexpr Index rows_of_panel(Index columns) {
  constexpr Index doubles = 1 << 17, min = 64, max = 128;
  return std::clamp(doubles / kernel::panel_stride(columns), min, max);
}

/// So many rows tell where the centre of all may be.
inline constexpr std::size_t rows_for_centre = 32;

/// Doubles of a scatter, padded.
[[nodiscard]] constexpr Index scatter_size(Index columns, Scatter kind) {
  const Index stride = kernel::panel_stride(columns);
  return kind == Scatter::full ? stride * stride : stride;
}

}  // namespace genera::sums
