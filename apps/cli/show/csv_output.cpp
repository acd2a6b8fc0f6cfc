#include "show/csv_output.hpp"

#include "values.hpp"

#include <fmt/format.h>

#include <iterator>

namespace genera::cli {

std::string csv_cell(std::string_view text, char delimiter) {
  const bool plain = !text.empty() && text.find_first_of(",\"\r\n;\t|") == std::string_view::npos &&
                     text.find(delimiter) == std::string_view::npos && text.front() != ' ' &&
                     text.back() != ' ';
  if (plain) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::vector<std::string> class_columns(std::string_view what,
                                       const std::vector<std::string>& classes) {
  std::vector<std::string> columns;
  for (const std::string& name : classes)
    columns.push_back(csv_cell(fmt::format("{}({})", what, name)));
  return columns;
}

double with_digits(double value, std::optional<int> digits) {
  if (!digits) return value;
  const std::string text = fmt::format("{:.{}g}", value, *digits);
  double shorter = value;
  (void)read_whole(text, shorter);
  return shorter;
}

void CsvWriter::begin(const Table& table, Index row) {
  first_ = table.kept.empty();
  if (!first_) text_ += table.kept[static_cast<std::size_t>(row)];
}

void CsvWriter::cell(std::string_view ready) {
  separate();
  text_ += ready;
}

void CsvWriter::cell(double value) {
  separate();
  fmt::format_to(std::back_inserter(text_), "{}", value);
}

void CsvWriter::separate() {
  if (!first_) text_ += ',';
  first_ = false;
}

std::string csv_header(const Table& table, const std::vector<std::string>& columns) {
  std::string line = table.kept_header;
  for (const std::string& column : columns) {
    if (!line.empty()) line += ',';
    line += column;
  }
  return line + '\n';
}

}  // namespace genera::cli
