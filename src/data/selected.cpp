#include "data/join_tables.hpp"
#include "kernel/index.hpp"

namespace genera::data {
namespace {

using kernel::at;

SparseColumns selected(const SparseColumns& from, std::span<const Index> rows) {
  SparseColumns to{.name = from.name,
                   .text_options = from.text_options,
                   .terms = from.terms,
                   .kind = from.kind,
                   .all_columns = from.all_columns};
  for (const Index row : rows) {
    for (Index e = from.begins[at(row)]; e < from.begins[at(row) + 1]; ++e) {
      to.places.push_back(from.places[at(e)]);
      to.values.push_back(from.values[at(e)]);
    }
    to.begins.push_back(std::ssize(to.places));
    if (!from.missing.empty()) to.missing.push_back(from.missing[at(row)]);
  }
  return to;
}

template <class T>
std::vector<T> selected(const std::vector<T>& from, std::span<const Index> rows) {
  std::vector<T> to;
  if (from.empty()) return to;
  for (const Index row : rows) to.push_back(from[at(row)]);
  return to;
}

}  // namespace

Table selected(const Table& table, std::span<const Index> rows) {
  Table some;
  some.columns = table.columns;
  some.row_count = std::ssize(rows);
  some.numbers = Matrix(some.row_count, table.numbers.columns());
  some.codes = Codes(some.row_count, table.codes.columns());
  some.levels = table.levels;
  for (Index i = 0; i < some.row_count; ++i) {
    for (Index j = 0; j < some.numbers.columns(); ++j)
      some.numbers(i, j) = table.numbers(rows[at(i)], j);
    for (Index j = 0; j < some.codes.columns(); ++j) some.codes(i, j) = table.codes(rows[at(i)], j);
  }
  for (const SparseColumns& sparse : table.sparse) some.sparse.push_back(selected(sparse, rows));
  some.target = table.target;
  some.classes = table.classes;
  some.labels = selected(table.labels, rows);
  some.weights = selected(table.weights, rows);
  some.frequencies = table.frequencies;
  some.label_type = table.label_type;
  some.source = table.source;
  some.lines = selected(table.lines, rows);
  return some;
}

}  // namespace genera::data
