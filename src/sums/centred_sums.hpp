#pragma once

#include <algorithm>

#include <genera/stats.hpp>

#include "kernel/scatter.hpp"

namespace genera::sums {

/// Sums of deviations z from a centre c near the mean: the mean is c + r with r the mean of z, and
/// the scatter is sum w z z' - W r r'. The pointers refer to memory of the caller, panel_stride(d)
/// numbers each (the square of it for a full scatter), initially zero.
struct CentredSums {
  Scatter kind = Scatter::full;
  Index columns = 0;
  double* centre = nullptr;
  double* sums = nullptr;
  double* scatter = nullptr;  ///< sum w z z', or its diagonal
  double* largest = nullptr;  ///< largest |z|, for columns whose squares underflow
  double weight = 0;

  /// Sets the centre to the mean of a few rows; for a constant column, exactly to its value.
  /// Changes `sums` and `largest`.
  void find_centre(const kernel::RowsInMemory& rows, const double* weights) const;
  /// Adds rows; a full scatter needs a panel with room for all of them.
  void add(const kernel::RowsInMemory& rows, const double* weights, double* panel,
           const kernel::RowsInMemory& ahead) const;
  /// Sum of squared deviations from the mean.
  [[nodiscard]] double squares(Index j) const;
  /// True if the centre is so far from the mean that the scatter would lose accuracy.
  [[nodiscard]] bool is_far_from_mean() const;
  /// True if a column is constant or its squared deviations underflow.
  [[nodiscard]] bool some_squares_vanish() const;
  /// `memory`: moments whose storage may be reused.
  [[nodiscard]] Moments moments(Moments memory) const;

 private:
  [[nodiscard]] double diagonal(Index j, double around_mean) const;
};

/// Rows of a panel: the panel fits into the second-level cache, and three vectors of its columns
/// into the first.
[[nodiscard]] constexpr Index rows_of_panel(Index columns) {
  constexpr Index doubles = 1 << 17, min = 64, max = 128;
  return std::clamp(doubles / kernel::panel_stride(columns), min, max);
}

/// Number of rows from which the centre is estimated.
inline constexpr std::size_t rows_for_centre = 32;

/// Number of doubles of a scatter, with padding.
[[nodiscard]] constexpr Index scatter_size(Index columns, Scatter kind) {
  const Index stride = kernel::panel_stride(columns);
  return kind == Scatter::full ? stride * stride : stride;
}

}  // namespace genera::sums
