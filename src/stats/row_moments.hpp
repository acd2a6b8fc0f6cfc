#pragma once

#include <span>
#include <vector>

#include <genera/stats.hpp>

namespace genera::stats {

/// Some rows of a table, all of one class.
struct RowSelection {
  MatrixView numbers;
  std::span<const Index> rows;
  std::span<const double> weights;  // of all rows of `numbers`, or empty
};

/// Weight, mean and scatter of the selected rows, panel by panel (see kernel/scatter.hpp).
[[nodiscard]] Moments moments_of(const RowSelection& selection, Scatter kind);

}  // namespace genera::stats
