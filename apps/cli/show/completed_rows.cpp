#include "completed_rows.hpp"

#include "csv_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace genera::cli {
namespace {

/// What stands in the place of a cell.
struct Replacement {
  Table::CellPlace place;
  std::string text;
};

}  // namespace

CompletedRows::CompletedRows(const CsvOptions& format, std::optional<Index> draw)
    : has_header_(format.header),
      delimiter_(format.delimiter.value_or(',')),
      decimal_(format.decimal.value_or('.')),
      draw_(draw) {}

std::string CompletedRows::header(const Table& read) const {
  if (!has_header_) return {};
  return (draw_ ? std::string("draw") + delimiter_ : std::string()) + read.kept_header + '\n';
}

std::optional<std::string> CompletedRows::number(const Table& read, const Table& filled,
                                                 const Cell& cell) const {
  const double value = filled.numbers(cell.row, cell.place);
  if (!std::isnan(read.numbers(cell.row, cell.place)) || std::isnan(value)) return std::nullopt;
  std::string text = fmt::format("{}", value);
  std::replace(text.begin(), text.end(), '.', decimal_);
  return text;
}

std::optional<std::string> CompletedRows::level(const Table& read, const Table& filled,
                                                const Cell& cell) const {
  const std::int32_t code = filled.codes(cell.row, cell.place);
  if (read.codes(cell.row, cell.place) >= 0 || code < 0) return std::nullopt;
  const auto& levels = filled.levels[static_cast<std::size_t>(cell.place)];
  return csv_cell(levels[static_cast<std::size_t>(code)], delimiter_);
}

std::string CompletedRows::record(const Table& read, const Table& filled, Index row) const {
  std::vector<Replacement> replacements;
  Cell cell{row, 0, 0};
  Index numbers = 0, codes = 0;
  for (; cell.column < std::ssize(read.columns); ++cell.column) {
    const ColumnType type = read.columns[static_cast<std::size_t>(cell.column)].type;
    if (type == ColumnType::text) continue;
    const bool is_number = type == ColumnType::numeric || type == ColumnType::count;
    cell.place = is_number ? numbers++ : codes++;
    auto text = is_number ? number(read, filled, cell) : level(read, filled, cell);
    const auto at = static_cast<std::size_t>(row * std::ssize(read.columns) + cell.column);
    if (text) replacements.push_back({read.cells[at], std::move(*text)});
  }
  std::sort(
      replacements.begin(), replacements.end(),
      [](const Replacement& a, const Replacement& b) { return a.place.begin < b.place.begin; });
  const std::string& whole = read.kept[static_cast<std::size_t>(row)];
  std::string line;
  std::size_t done = 0;
  for (const Replacement& one : replacements) {
    line.append(whole, done, one.place.begin - done);
    line += one.text;
    done = one.place.end;
  }
  return line.append(whole, done);
}

std::string CompletedRows::lines(const Table& read, const Table& filled) const {
  const std::string first = draw_ ? fmt::format("{}{}", *draw_, delimiter_) : std::string();
  std::string text;
  for (Index i = 0; i < read.rows(); ++i) text += first + record(read, filled, i) + '\n';
  return text;
}

}  // namespace genera::cli
