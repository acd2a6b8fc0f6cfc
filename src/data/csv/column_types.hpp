#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <genera/stream.hpp>
#include "data/csv/fields.hpp"

namespace genera::data {

/// What the beginning of the data says about a column.
struct ColumnGuess {
  ColumnType type = ColumnType::numeric;
  Index present = 0;          ///< cells that are not missing
  Index not_numbers = 0;      ///< of these
  std::string odd_cell;       ///< the first that is not a number
  std::string ambiguous;      ///< the first that is a number or another: 1,037; or empty
  std::string other_decimal;  ///< the first that is a number with the other decimal sign; or empty
  bool zeros_and_ones = false;        ///< both, and nothing else
  bool zeros_or_ones = false;         ///< nothing else
  std::string looks_like;             ///< "an identifier (...)", "a date", or empty
  std::vector<std::string> values{};  ///< the first different cells, at most four
  Index not_counts = 0;               ///< numbers that are negative or not whole
  std::string not_a_count;            ///< the first of these, or empty
  Index different_strings = 0;        ///< where most cells are different strings; else 0
  double sentinel = 0;                ///< a number that may stand for missing values; 0: none
};

/// Whether `odd` cells of `present` are so few (< 5 %) that they are errors rather than a type.
[[nodiscard]] constexpr bool are_few(Index odd, Index present) { return 20 * odd < present; }

/// One guess per column, from whole records.
[[nodiscard]] std::vector<ColumnGuess> guess_columns(const std::vector<std::string_view>& records,
                                                     Index columns, const CellFormat& format);

}  // namespace genera::data
