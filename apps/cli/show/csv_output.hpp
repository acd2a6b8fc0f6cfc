#pragma once

#include <genera/table.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace genera::cli {

/// The text as a CSV cell, quoted if necessary.
[[nodiscard]] std::string csv_cell(std::string_view text, char delimiter = ',');

/// `what(CLASS)` for each class, as cells.
[[nodiscard]] std::vector<std::string> class_columns(std::string_view what,
                                                     const std::vector<std::string>& classes);

/// The value rounded to this number of significant digits; without `digits`, the value itself.
[[nodiscard]] double with_digits(double value, std::optional<int> digits);

/// Writes rows of CSV: first the kept columns of the input, then cells.
class CsvWriter {
 public:
  void begin(const Table& table, Index row);
  void cell(std::string_view ready);  ///< already quoted
  void cell(double value);            ///< the shortest text that parses to the same number
  void end() { text_ += '\n'; }
  [[nodiscard]] std::string&& take() { return std::move(text_); }

 private:
  void separate();
  std::string text_;
  bool first_ = true;
};

/// The first line: the kept columns of `table`, then `columns`.
[[nodiscard]] std::string csv_header(const Table& table, const std::vector<std::string>& columns);

}  // namespace genera::cli
