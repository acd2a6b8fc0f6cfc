#include "show/text_table.hpp"

#include "lists.hpp"

#include "show/printable.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace genera::cli {
namespace {

constexpr std::size_t columns_side_by_side = 8;

std::vector<std::size_t> widths_of(const TextCells& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t j = 0; j < row.size(); ++j) widths[j] = std::max(widths[j], places_of(row[j]));
  }
  return widths;
}

}  // namespace

std::string text_table(TextCells rows) {
  for (auto& row : rows)
    for (std::string& cell : row) cell = brief(cell);
  const std::vector<std::size_t> widths = widths_of(rows);
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t j = 0; j < row.size(); ++j) {
      const std::string padding(widths[j] - places_of(row[j]), ' ');
      line += j == 0 ? "  " + row[j] + padding : "  " + padding + row[j];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string text_table(const TextCells& rows, const std::vector<std::string>& remarks) {
  const std::string table = text_table(rows);
  std::size_t widest = 0;
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < table.size(); begin = table.find('\n', begin) + 1) {
    lines.push_back(table.substr(begin, table.find('\n', begin) - begin));
    widest = std::max(widest, places_of(lines.back()));
  }
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool remarked = i < remarks.size() && !remarks[i].empty();
    const std::string padding(widest - places_of(lines[i]), ' ');
    text += lines[i] + (remarked ? padding + "  " + remarks[i] : "") + '\n';
  }
  return text;
}

std::string text_table(const NumberTable& table) {
  const std::size_t all = table.rows.size();
  const std::size_t shown = std::min(all, static_cast<std::size_t>(table.max_rows));
  std::string text;
  for (std::size_t begin = 0; begin < table.columns.size(); begin += columns_side_by_side) {
    const std::size_t end = std::min(begin + columns_side_by_side, table.columns.size());
    TextCells cells{{table.corner}};
    for (std::size_t j = begin; j < end; ++j) cells[0].push_back(table.columns[j]);
    for (std::size_t i = 0; i < shown; ++i) {
      cells.push_back({table.rows[i]});
      for (std::size_t j = begin; j < end; ++j)
        cells.back().push_back(rounded(table.values(static_cast<Index>(i), static_cast<Index>(j))));
    }
    text += text_table(cells);
  }
  if (shown == all) return text;
  return text + (table.rest.text.empty()
                     ? "  … and " + counted(static_cast<Index>(all - shown), "more row") +
                           " (--json has all)\n"
                     : in_words(table.rest, as_typed) + '\n');
}

std::string rounded(double value) { return fmt::format("{:.6g}", value); }

}  // namespace genera::cli
