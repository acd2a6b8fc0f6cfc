#include "data/densified.hpp"

#include <cmath>

#include <genera/error.hpp>
#include <genera/names.hpp>

#include "data/columns.hpp"
#include "kernel/index.hpp"

namespace genera::data {
namespace {

using kernel::at;

/// Labels, weights and places of rows, without their features.
Table without_features(const Rows& rows) {
  const DataView& data = rows.data();
  Table table;
  table.row_count = rows.count();
  table.target = data.target;
  table.label_type = data.label_type;
  table.classes.assign(data.labels.names.begin(), data.labels.names.end());
  table.source = data.source;
  table.frequencies = data.frequencies;
  for (Index i = 0; i < rows.count(); ++i) {
    const Index row = rows.row(i);
    if (!data.labels.empty()) table.labels.push_back(data.labels(row));
    if (!data.weights.empty()) table.weights.push_back(data.weights[at(row)]);
    if (!data.lines.empty()) table.lines.push_back(data.lines[at(row)]);
  }
  table.codes = Codes(table.row_count, 0);
  return table;
}

SparseColumns columns_of(const SparseView& from, const Rows& rows) {
  SparseColumns to{.name = from.name,
                   .text_options = from.text_options,
                   .terms = {from.terms.begin(), from.terms.end()},
                   .kind = from.kind,
                   .all_columns = from.all_columns};
  for (Index i = 0; i < rows.count(); ++i) {
    const Index row = rows.row(i);
    for (Index e = from.begin(row); e < from.begin(row + 1); ++e) {
      to.places.push_back(static_cast<std::int32_t>(from.place(e)));
      to.values.push_back(from.value(e));
    }
    to.begins.push_back(std::ssize(to.places));
    if (from.missing != nullptr) to.missing.push_back(from.missing[row]);
  }
  return to;
}

[[noreturn]] void refuse_missing(const std::string& place, const std::string& column) {
  throw Error(Errc::bad_data,
              place + ": a value is missing in the column of counts '" + column + "'",
              "leave these rows out");
}

}  // namespace

Table densified(const Rows& rows, const std::vector<std::string>& names) {
  Table dense = without_features(rows);
  for (const std::string& name : names) dense.columns.push_back({name, ColumnType::numeric});
  dense.numbers = Matrix(rows.count(), std::ssize(names));
  const auto features = sparse_features(rows.data());
  if (!features) return dense;
  const SparseView& sparse = rows.data().sparse[*features];
  const NameSet known(names);
  std::vector<std::int32_t> columns(sparse.terms.size());
  known.find_all(std::vector<std::string_view>(sparse.terms.begin(), sparse.terms.end()), columns);
  for (Index i = 0; i < rows.count(); ++i) {
    const Index row = rows.row(i);
    for (Index e = sparse.begin(row); e < sparse.begin(row + 1); ++e) {
      const std::int32_t column = columns[at(sparse.place(e))];
      if (column >= 0) dense.numbers(i, column) = sparse.value(e);
    }
  }
  return dense;
}

Table sparse_counts(const Rows& rows) {
  Table table = without_features(rows);
  table.numbers = Matrix(rows.count(), 0);
  SparseColumns& matrix = table.sparse.emplace_back();
  matrix.kind = SparseKind::counts;
  matrix.all_columns = true;
  for (const Column& column : rows.data().columns)
    if (kept_as_number(column.type)) matrix.terms.push_back(column.name);
  const NumberColumns numbers = all_numbers(rows.data());
  for (Index i = 0; i < rows.count(); ++i) {
    for (Index j = 0; j < numbers.count(); ++j) {
      const double x = numbers(rows.row(i), j);
      if (std::isnan(x)) refuse_missing(rows.place(rows.row(i)), matrix.terms[at(j)]);
      if (x == 0) continue;
      matrix.places.push_back(static_cast<std::int32_t>(j));
      matrix.values.push_back(x);
    }
    matrix.begins.push_back(std::ssize(matrix.places));
  }
  return table;
}

Table table_of(const Rows& rows) {
  const DataView& data = rows.data();
  Table table = without_features(rows);
  table.columns = data.columns;
  const NumberColumns columns = all_numbers(data);
  const Index numbers = columns.count();
  table.numbers = Matrix(rows.count(), numbers);
  table.codes = Codes(rows.count(), std::ssize(data.codes));
  for (const CodesView& codes : data.codes)
    table.levels.emplace_back(codes.names.begin(), codes.names.end());
  for (Index i = 0; i < rows.count(); ++i) {
    const Index row = rows.row(i);
    for (Index j = 0; j < numbers; ++j) table.numbers(i, j) = columns(row, j);
    for (std::size_t j = 0; j < data.codes.size(); ++j)
      table.codes(i, static_cast<Index>(j)) = data.codes[j](row);
  }
  for (const SparseView& sparse : data.sparse) table.sparse.push_back(columns_of(sparse, rows));
  return table;
}

}  // namespace genera::data

namespace genera {

std::optional<Table> with_numeric_columns(const Rows& rows, std::vector<std::string> names) {
  const auto place = data::sparse_features(rows.data());
  if (!place || rows.data().sparse[*place].kind != SparseKind::numbers) return std::nullopt;
  if (names.empty()) {
    const SparseView& matrix = rows.data().sparse[*place];
    names.assign(matrix.terms.begin(), matrix.terms.end());
    sort_labels(names);
  }
  constexpr double max_cells = 134'217'728;  // 1 GiB
  if (static_cast<double>(rows.count()) * static_cast<double>(names.size()) > max_cells)
    throw Error(Errc::bad_data,
                "the sparse matrix is too large to be laid out with its zeros (1 GiB)",
                "give fewer rows or columns");
  return data::densified(rows, names);
}

}  // namespace genera
