#pragma once

#include <array>
#include <span>

#include <genera/types.hpp>

#include "kernel/bytes.hpp"

namespace genera::kernel {

/// sums[k] += factor table(row, k) for one row after the other of a table of `width` columns. Every
/// product is rounded before it is added, so that the bits are those of the plain loop.
class WeightedRows {
 public:
  WeightedRows(const double* table, Index width, double* sums)
      : table_(table), width_(width), sums_(sums) {}

  /// Rows come in any order, so the machine does not see their numbers coming: they are asked for
  /// now and read later.
  void add(Index row, double factor) {
    constexpr Index doubles_of_a_line = 8;
    const double* begin = table_ + row * width_;
    for (Index k = 0; k < width_; k += doubles_of_a_line) prefetch(begin + k);
    rows_[count_] = begin;
    factors_[count_] = factor;
    if (++count_ == rows_.size()) finish();
  }
  /// Nothing is certain to be in the sums before.
  void finish();

 private:
  const double* table_;
  Index width_;
  double* sums_;
  std::size_t count_ = 0;
  std::array<const double*, 64> rows_;
  std::array<double, 64> factors_;
};

/// A row of doubles that is added to sums of its own: sums[j] += factor numbers[j].
struct RowToAdd {
  const double* numbers;
  double factor;
  double* sums;
};
/// One row after the other, each of `width` doubles; rounded like the above. Whether a number has a
/// sign: it is negative, -0 or NaN.
[[nodiscard]] bool add_rows(std::span<const RowToAdd> rows, Index width);

}  // namespace genera::kernel
