#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "data/columns.hpp"

namespace genera::sums {

/// Detects negative numbers with one operation per number; -0 and NaN may also be reported.
class Signs {
 public:
  void see(double value) { bits_ |= std::bit_cast<std::uint64_t>(value); }
  [[nodiscard]] bool any() const { return bits_ >> 63U != 0; }

 private:
  std::uint64_t bits_ = 0;
};

/// Throws Error (bad_data), with place and column, if a count of these rows is negative.
void refuse_negative(const DataView& data, std::span<const Index> rows,
                     const data::NumberColumns& counts);
/// The same for the entries of a sparse column, if they are counts.
void refuse_negative(const DataView& data, const SparseView& sparse, std::span<const Index> rows);

}  // namespace genera::sums
