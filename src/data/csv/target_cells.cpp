#include "data/csv/target_cells.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <unordered_set>

#include <fmt/format.h>

namespace genera::data {
namespace {

std::string_view cell_of(std::string_view record, Index column, const CellFormat& format,
                         std::string& scratch) {
  const char* at = record.data();
  for (Index j = 0;; ++j) {
    const Field field = read_field(at, format, scratch);
    if (j == column) return field.text;
    if (*field.end == '\n') return {};
    at = field.end + 1;
  }
}

}  // namespace

TargetCells target_cells(const std::vector<std::string_view>& records, Index target,
                         const CellFormat& format) {
  TargetCells cells;
  std::set<double> values;
  std::string scratch;
  for (const std::string_view record : records) {
    const std::string_view text = cell_of(record, target, format, scratch);
    if (is_missing_text(text, format)) continue;
    const NumberCell number = read_number(text, format);
    if (number.kind == NumberKind::missing) continue;
    if (number.kind != NumberKind::number) return {};
    ++cells.rows;
    cells.whole = cells.whole && number.value == std::floor(number.value);
    values.insert(number.value);
  }
  cells.different = static_cast<Index>(values.size());
  if (values.empty()) return cells;
  const double first = *values.begin(), last = *values.rbegin();
  cells.codes = cells.whole && (first == 0 || first == 1) &&
                last - first + 1 == static_cast<double>(cells.different);
  for (const double value : values)
    if (std::ssize(cells.values) < TargetCells::max_values)
      cells.values.push_back(fmt::format("{}", value));
  return cells;
}

bool all_different(const std::vector<std::string_view>& records, Index column,
                   const CellFormat& format) {
  std::unordered_set<std::string> cells;
  std::string scratch;
  return std::ranges::all_of(records, [&](std::string_view record) {
    return cells.emplace(cell_of(record, column, format, scratch)).second;
  });
}

bool looks_measured(const TargetCells& cells) {
  constexpr Index few = 10, many = 100, rows_of_class = 20;
  if (cells.different <= few || cells.codes) return false;
  return !cells.whole || cells.different > many || cells.rows < rows_of_class * cells.different;
}

}  // namespace genera::data
