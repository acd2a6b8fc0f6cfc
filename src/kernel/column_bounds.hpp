#pragma once

#include "kernel/aligned.hpp"
#include "kernel/infinity.hpp"
#include "kernel/lattice_points.hpp"
#include "kernel/normal_box.hpp"

/// Quick bounds of the probability of a box from its columns.
namespace genera::kernel {

/// Columns of a box, relative to their means; reused for many boxes.
class ColumnScreen {
 public:
  void resize(Index columns) {
    const Index padded = (columns + outer_columns - 1) / outer_columns * outer_columns;
    if (padded == static_cast<Index>(low_.size())) return;
    const auto size = static_cast<std::size_t>(padded);
    low_.assign(size, -infinity), high_.assign(size, infinity), variances_.assign(size, 1.0);
  }
  void set(Index column, const Interval& interval, double variance) {
    const auto i = static_cast<std::size_t>(column);
    low_[i] = interval.low, high_[i] = interval.high, variances_[i] = variance;
  }
  [[nodiscard]] ColumnBounds bounds() const { return column_bounds(low_, high_, variances_); }

 private:
  AlignedVector low_{}, high_{}, variances_{};
};

}  // namespace genera::kernel
