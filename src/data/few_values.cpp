#include "data/few_values.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "data/columns.hpp"
#include "kernel/index.hpp"

namespace genera::data {
namespace {

using kernel::at;

std::optional<std::set<double>> few_whole_numbers(const Table& table, Index column,
                                                  std::size_t most) {
  std::set<double> values;
  for (Index i = 0; i < table.rows(); ++i) {
    const double value = table.numbers(i, column);
    if (std::isnan(value)) continue;
    constexpr double exact = 1e15;
    if (value != std::floor(value) || std::abs(value) > exact) return std::nullopt;
    values.insert(value);
    if (values.size() > most) return std::nullopt;
  }
  if (values.size() < 2) return std::nullopt;
  return values;
}

/// Where the cells of each column stand.
struct CellsOf {
  Index numbers = 0, codes = 0;
};

/// Levels of a column of numbers, in order of first appearance.
class NumberLevels {
 public:
  std::int32_t code(double value) {
    if (std::isnan(value)) return -1;
    const auto [known, is_new] = codes_.try_emplace(value, static_cast<std::int32_t>(names.size()));
    if (is_new) names.push_back(fmt::format("{}", value + 0.0));
    return known->second;
  }
  std::vector<std::string> names;

 private:
  std::map<double, std::int32_t> codes_;
};

}  // namespace

std::vector<Column> few_valued(const Table& table, std::size_t most) {
  std::vector<Column> found;
  Index place = 0;
  for (const Column& column : table.columns) {
    if (!kept_as_number(column.type)) continue;
    const auto values = few_whole_numbers(table, place++, most);
    if (!values || column.type != ColumnType::numeric) continue;
    const bool binary = *values == std::set<double>{0, 1};
    found.push_back({column.name, binary ? ColumnType::binary : ColumnType::categorical});
  }
  return found;
}

Table as_codes(const Table& table, const std::vector<Column>& columns) {
  Table to = table;
  std::unordered_map<std::string_view, ColumnType> types;
  for (const Column& column : columns) types.emplace(column.name, column.type);
  const auto type_of = [&](const Column& column) {
    const auto known = types.find(column.name);
    return known == types.end() ? column.type : known->second;
  };
  CellsOf count;
  for (Column& column : to.columns) {
    column.type = type_of(column);
    count.numbers += kept_as_number(column.type) ? 1 : 0;
    count.codes += kept_as_code(column.type) ? 1 : 0;
  }
  to.numbers = Matrix(table.rows(), count.numbers);
  to.codes = Codes(table.rows(), count.codes);
  to.levels.clear();
  CellsOf from, next;
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    const bool was_number = kept_as_number(table.columns[j].type);
    if (was_number && kept_as_number(to.columns[j].type)) {
      for (Index i = 0; i < table.rows(); ++i)
        to.numbers(i, next.numbers) = table.numbers(i, from.numbers);
      ++from.numbers;
      ++next.numbers;
    } else if (was_number) {
      NumberLevels levels;
      for (Index i = 0; i < table.rows(); ++i)
        to.codes(i, next.codes) = levels.code(table.numbers(i, from.numbers));
      to.levels.push_back(std::move(levels.names));
      ++from.numbers;
      ++next.codes;
    } else if (kept_as_code(table.columns[j].type)) {
      for (Index i = 0; i < table.rows(); ++i) to.codes(i, next.codes) = table.codes(i, from.codes);
      to.levels.push_back(table.levels[at(from.codes)]);
      ++from.codes;
      ++next.codes;
    }
  }
  return to;
}

}  // namespace genera::data
