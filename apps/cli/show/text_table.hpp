#pragma once

#include <string>
#include <vector>

#include <genera/description.hpp>

namespace genera::cli {

using TextCells = std::vector<std::vector<std::string>>;  ///< row by row

/// A table of text: the first column is aligned left, the others right. Cells are shortened and
/// made printable.
[[nodiscard]] std::string text_table(TextCells rows);
/// The same with a remark at the end of each line, which may be empty.
[[nodiscard]] std::string text_table(const TextCells& rows,
                                     const std::vector<std::string>& remarks);

/// Numbers with six digits. Wide tables are split into parts; long tables are cut.
[[nodiscard]] std::string text_table(const NumberTable& table);

/// Six significant digits.
[[nodiscard]] std::string rounded(double value);

}  // namespace genera::cli
