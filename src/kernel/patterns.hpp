#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include <genera/types.hpp>

namespace genera::kernel {

/// Rows with the same missing columns.
struct Pattern {
  std::vector<Index> observed;  ///< indices among the pattern columns, ascending
  std::vector<Index> rows;      ///< in the given order
};

/// Observed columns of rows: one bit per column.
class Masks {
 public:
  Masks(Index rows, Index columns);
  void set(Index row, Index column) {
    masks_[static_cast<std::size_t>(row * words_ + column / bits)] |= std::uint64_t{1}
                                                                      << (column % bits);
  }
  [[nodiscard]] std::span<const std::uint64_t> of(Index row) const {
    return {masks_.data() + row * words_, static_cast<std::size_t>(words_)};
  }
  static constexpr Index bits = 64;

 private:
  Index words_;
  std::vector<std::uint64_t> masks_;
};

/// Groups rows by their masks (mask i belongs to rows[i]). The order of the groups depends only on
/// the patterns.
[[nodiscard]] std::vector<Pattern> patterns_of(const Masks& masks, std::span<const Index> rows);

/// Groups rows by their NaN columns; number(row, column) reads a cell.
template <class Numbers>
[[nodiscard]] std::vector<Pattern> patterns_of(const Numbers& number,
                                               std::span<const Index> columns,
                                               std::span<const Index> rows) {
  Masks masks(std::ssize(rows), std::ssize(columns));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      if (!std::isnan(number(rows[i], columns[j])))
        masks.set(static_cast<Index>(i), static_cast<Index>(j));
    }
  }
  return patterns_of(masks, rows);
}

/// Some rows of a pattern.
struct PatternPart {
  const Pattern* pattern;
  std::span<const Index> rows;
};

/// Divides the rows into tasks of slightly more than `max` rows at most; a task may contain several
/// patterns. The division depends only on the patterns. The result refers to them.
[[nodiscard]] std::vector<std::vector<PatternPart>> tasks_of(const std::vector<Pattern>& patterns,
                                                             Index max);
[[nodiscard]] Index rows_of(const std::vector<PatternPart>& task);

}  // namespace genera::kernel
