#pragma once

#include <span>
#include <vector>

#include <genera/types.hpp>

namespace genera::kernel {

/// Rows that miss the same columns.
struct Pattern {
  std::vector<Index> observed;  ///< places among the columns looked at, ascending
  std::vector<Index> rows;      ///< in the order they were given
};

/// Groups rows by which of these columns are NaN in them; the groups are in an order that depends
/// on the patterns alone.
[[nodiscard]] std::vector<Pattern> patterns_of(const MatrixView& numbers,
                                               std::span<const Index> columns,
                                               std::span<const Index> rows);

}  // namespace genera::kernel
