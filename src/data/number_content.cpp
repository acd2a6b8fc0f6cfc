#include "data/number_content.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace genera::data {
namespace {

/// Counts the nonzero cells.
struct Entries {
  double number = 0;
  bool missing = false;
  bool counts = true;

  void add(std::span<const double> values) {
    for (const double x : values) {
      number += x != 0;  // NaN as well
      missing = missing || std::isnan(x);
      counts = counts && x >= 0 && x == std::floor(x);
    }
  }
};

NumberContent content(const Entries& entries, Index rows, Index columns) {
  const double cells = static_cast<double>(rows) * static_cast<double>(columns);
  return {columns, cells > 0 ? entries.number / cells : 0, entries.missing, entries.counts};
}

}  // namespace

std::optional<NumberContent> content_of(const Table& table) {
  Entries entries;
  if (table.columns.empty() && table.sparse.size() == 1 &&
      table.sparse.front().kind == SparseKind::numbers) {
    const SparseColumns& matrix = table.sparse.front();
    entries.add(matrix.values);
    return content(entries, table.rows(), std::ssize(matrix.terms));
  }
  const bool numbers = std::ranges::all_of(
      table.columns, [](const Column& column) { return column.type == ColumnType::numeric; });
  if (!numbers || table.columns.empty() || !table.sparse.empty()) return std::nullopt;
  for (Index i = 0; i < table.rows(); ++i) entries.add(table.numbers.row(i));
  return content(entries, table.rows(), table.numbers.columns());
}

}  // namespace genera::data
