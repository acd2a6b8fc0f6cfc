#include "data/few_values.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <memory>
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
                                                  std::size_t max) {
  std::set<double> values;
  for (Index i = 0; i < table.rows(); ++i) {
    const double value = table.numbers(i, column);
    if (std::isnan(value)) continue;
    constexpr double exact = 1e15;
    if (value != std::floor(value) || std::abs(value) > exact) return std::nullopt;
    values.insert(value);
    if (values.size() > max) return std::nullopt;
  }
  if (values.size() < 2) return std::nullopt;
  return values;
}

/// Numeric columns recoded as levels, with a view of the codes.
struct CodedColumn {
  std::vector<std::int32_t> codes;  // for each row of the data
  std::vector<std::string> levels;
};
struct Coded {
  DataView view;
  std::deque<CodedColumn> columns;  // a deque, so that references stay valid
};

/// Distinct values of a numeric column, in order of first appearance.
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

/// Rows that are not in `rows` get a missing code.
CodedColumn coded(const NumbersView& numbers, const Rows& rows) {
  NumberLevels levels;
  CodedColumn to{std::vector<std::int32_t>(at(rows.data().rows), -1), {}};
  for (Index i = 0; i < rows.count(); ++i)
    to.codes[at(rows.row(i))] = levels.code(numbers(rows.row(i), 0));
  to.levels = std::move(levels.names);
  return to;
}

}  // namespace

std::vector<Column> few_valued(const Table& table, std::size_t max) {
  std::vector<Column> found;
  Index place = 0;
  for (const Column& column : table.columns) {
    if (!kept_as_number(column.type)) continue;
    const auto values = few_whole_numbers(table, place++, max);
    if (!values || column.type != ColumnType::numeric) continue;
    const bool binary = *values == std::set<double>{0, 1};
    found.push_back({column.name, binary ? ColumnType::binary : ColumnType::categorical});
  }
  return found;
}

Rows as_codes(const Rows& rows, const std::vector<Column>& columns) {
  std::unordered_map<std::string_view, ColumnType> types;
  for (const Column& column : columns) types.emplace(column.name, column.type);
  const DataView& data = rows.data();
  auto to = std::make_shared<Coded>();
  to->view = data;
  to->view.numbers.clear();
  to->view.codes.clear();
  const std::vector<NumbersView> numbers = single_columns(data);
  const std::vector<FeaturePlace> places = feature_places(data.columns);
  for (std::size_t j = 0; j < places.size(); ++j) {
    const auto known = types.find(data.columns[j].name);
    const std::size_t place = at(places[j].at);
    if (places[j].kind == FeaturePlace::Kind::code) {
      to->view.codes.push_back(data.codes[place]);
    } else if (places[j].kind == FeaturePlace::Kind::number && known == types.end()) {
      to->view.numbers.push_back(numbers[place]);
    } else if (places[j].kind == FeaturePlace::Kind::number) {
      to->view.columns[j].type = known->second;
      const CodedColumn& own = to->columns.emplace_back(coded(numbers[place], rows));
      to->view.codes.emplace_back(own.codes.data(), own.levels);
    }
  }
  const Rows all(std::shared_ptr<const DataView>(to, &to->view));
  return rows.in(all);
}

namespace {

Rows as_counts(const Rows& rows) {
  DataView data = rows.data();
  for (SparseView& one : data.sparse) {
    if (one.kind == SparseKind::numbers) one.kind = SparseKind::counts;
  }
  return rows.in(Rows(std::move(data)));
}

bool makes_counts(const ColumnTypes& types) { return types.default_type == ColumnType::count; }

}  // namespace

Rows with_types(const Rows& rows, const ColumnTypes& types) {
  if (makes_counts(types)) return as_counts(rows);
  if (types.types.empty()) return rows;
  std::vector<Column> codes;
  for (const auto& [name, type] : types.types) codes.push_back({name, type});
  return as_codes(rows, codes);
}

RowsSchema with_types(RowsSchema schema, const ColumnTypes& types) {
  if (makes_counts(types)) {
    if (schema.sparse_matrix) schema.sparse_matrix = SparseKind::counts;
    return schema;
  }
  for (Column& column : schema.columns) {
    if (!kept_as_number(column.type)) continue;
    for (const auto& [name, type] : types.types)
      if (name == column.name) column.type = type;
  }
  return schema;
}

}  // namespace genera::data
