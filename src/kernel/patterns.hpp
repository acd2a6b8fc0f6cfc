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

/// Some rows of a pattern.
struct PatternPart {
  const Pattern* pattern;
  std::span<const Index> rows;
};

/// Cut into tasks of not many more rows than `most`; a task may have several patterns. The cut
/// depends on the patterns alone, and refers to them.
[[nodiscard]] std::vector<std::vector<PatternPart>> tasks_of(const std::vector<Pattern>& patterns,
                                                             Index most);

}  // namespace genera::kernel
