#pragma once

#include <functional>
#include <string>
#include <vector>

#include <genera/types.hpp>

namespace genera::cli {

/// Rows of cells as lines: the first column on the left, the others on the right of their places.
/// Each cell is brief and printable.
[[nodiscard]] std::string text_table(std::vector<std::vector<std::string>> rows);

/// Numbers with a name for each row and each column.
struct NamedNumbers {
  std::vector<std::string> rows, columns;
  std::function<double(Index, Index)> value;
};
/// Six digits; many columns are shown some at a time, of many rows the first.
[[nodiscard]] std::string text_table(const NamedNumbers& numbers);

/// Six digits, for reading.
[[nodiscard]] std::string rounded(double value);

}  // namespace genera::cli
