#pragma once

#include <array>
#include <span>

#include <genera/types.hpp>

#include "kernel/bytes.hpp"

namespace genera::kernel {

/// sums[k] += factor table(row, k), row by row, for a table of `width` columns. Every product is
/// rounded before it is added, so the bits are those of the plain loop.
class WeightedRows {
 public:
  WeightedRows(const double* table, Index width, double* sums)
      : table_(table), width_(width), sums_(sums) {}

  /// Rows come in random order, which the hardware cannot predict: they are prefetched now and read
  /// later.
  void add(Index row, double factor) {
    constexpr Index doubles_of_a_line = 8;
    const double* begin = table_ + row * width_;
    for (Index k = 0; k < width_; k += doubles_of_a_line) prefetch(begin + k);
    rows_[count_] = begin;
    factors_[count_] = factor;
    if (++count_ == rows_.size()) finish();
  }
  /// Completes all sums; before, rows may be pending.
  void finish();

 private:
  const double* table_;
  Index width_;
  double* sums_;
  std::size_t count_ = 0;
  std::array<const double*, 64> rows_;
  std::array<double, 64> factors_;
};

/// A row of doubles to be added to its own sums: sums[j] += factor numbers[j].
struct RowToAdd {
  const double* numbers;
  double factor;
  double* sums;
};
/// Adds rows of `width` doubles one after the other, rounded as above. Returns true if a number may
/// have a sign: it is negative, -0 or NaN.
[[nodiscard]] bool add_rows(std::span<const RowToAdd> rows, Index width);

}  // namespace genera::kernel
