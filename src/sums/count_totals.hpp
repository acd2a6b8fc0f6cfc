#pragma once

#include <span>
#include <vector>

#include "data/columns.hpp"

namespace genera::sums {

/// The sums of count columns over the rows of each class, read once and in order. They are known
/// only where all counts are there and finite, which the sums themselves tell.
class CountTotals {
 public:
  CountTotals() = default;  ///< nothing is known
  /// Of the rows that have a label and a weight; weights are valid. Throws Error (bad_data) on a
  /// negative count.
  CountTotals(const Rows& rows, const data::NumberColumns& counts);

  /// Of w x over the rows of a class, by column; empty: they are not known. `left` is how many rows
  /// the class still has.
  [[nodiscard]] std::span<const double> sums(std::size_t k, Index left) const {
    return rows_.empty() || rows_[k] != left ? std::span<const double>() : sums_of(k);
  }
  /// Of w over the same rows.
  [[nodiscard]] double weight(std::size_t k) const { return weights_[k]; }

 private:
  [[nodiscard]] std::span<const double> sums_of(std::size_t k) const {
    return std::span(sums_).subspan(k * columns_, columns_);
  }
  void add(const Rows& rows, const data::NumberColumns& counts);

  std::size_t columns_ = 0;
  Vector sums_;  // classes x columns
  Vector weights_;
  std::vector<Index> rows_;  // by class: how many, -1 if not all is finite; empty: no such column
};

}  // namespace genera::sums
