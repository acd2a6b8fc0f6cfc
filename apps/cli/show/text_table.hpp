#pragma once

#include <string>
#include <vector>

#include <genera/description.hpp>

namespace genera::cli {

using TextCells = std::vector<std::vector<std::string>>;  ///< row by row

/// Rows of cells as lines: the first column on the left, the others on the right of their places.
/// Each cell is brief and printable.
[[nodiscard]] std::string text_table(TextCells rows);
/// The same with a remark at the end of each line, which may be empty.
[[nodiscard]] std::string text_table(const TextCells& rows,
                                     const std::vector<std::string>& remarks);

/// Six digits; many columns are shown some at a time, of many rows the first.
[[nodiscard]] std::string text_table(const NumberTable& table);

/// Six digits, for reading.
[[nodiscard]] std::string rounded(double value);

}  // namespace genera::cli
