#pragma once

#include <cmath>
#include <span>

#include "blocks/leave_one_out.hpp"
#include "kernel/index.hpp"

namespace genera::blocks {

/// A cell of a table of K rows, with the row totals.
struct TableCell {
  const Matrix& table;
  const Vector& totals;  ///< K
  Index column;
};

/// Adds the smoothed log probability without the row: log (n - w + s) / (N - w + s V) to the score
/// of its class, and the same without w to the others.
inline void add_smoothed_left(const TableCell& cell, double smoothing, const OneRow& one,
                              std::span<double> scores) {
  const auto left = [&](double sum) {
    return vanishes(sum - one.weight, sum) ? 0 : sum - one.weight;
  };
  const auto levels = static_cast<double>(cell.table.columns());
  for (Index k = 0; k < cell.table.rows(); ++k) {
    double here = cell.table(k, cell.column), total = cell.totals[kernel::at(k)];
    if (k == one.of_class) {
      here = left(here);
      total = left(total);
    }
    total += smoothing * levels;
    scores[kernel::at(k)] += std::log(total > 0 ? (here + smoothing) / total : 1 / levels);
  }
}

}  // namespace genera::blocks
