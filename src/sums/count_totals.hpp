#pragma once

#include <span>
#include <vector>

#include "data/columns.hpp"

namespace genera::sums {

/// Sums of count columns over the rows of each class, read once and in order. Available only if all
/// counts are present and finite, which the sums show.
class CountTotals {
 public:
  CountTotals() = default;  ///< no totals
  /// Totals of the rows with a label and a weight; weights must be valid. Throws Error (bad_data)
  /// for a negative count.
  CountTotals(const Rows& rows, const data::NumberColumns& counts);

  /// Sums of w x over the rows of a class, by column; empty if not available. `left` is the current
  /// number of rows of the class.
  [[nodiscard]] std::span<const double> sums(std::size_t k, Index left) const {
    return rows_.empty() || rows_[k] != left ? std::span<const double>() : sums_of(k);
  }
  /// Sum of w over the same rows.
  [[nodiscard]] double weight(std::size_t k) const { return weights_[k]; }

 private:
  [[nodiscard]] std::span<const double> sums_of(std::size_t k) const {
    return std::span(sums_).subspan(k * columns_, columns_);
  }
  void add(const Rows& rows, const data::NumberColumns& counts);

  std::size_t columns_ = 0;
  Vector sums_;  // classes x columns
  Vector weights_;
  std::vector<Index> rows_;  // rows by class, -1 if a total is not finite; empty: no such column
};

}  // namespace genera::sums
