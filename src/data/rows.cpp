#include <genera/rows.hpp>

#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "data/columns.hpp"

namespace genera {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

NumbersView numbers_of(const Table& table) { return MatrixView(table.numbers); }

SparseView view_of(const SparseColumns& columns) {
  SparseView view;
  view.kind = columns.kind;
  view.name = columns.name;
  view.text_options = columns.text_options;
  view.begins = columns.begins.data();
  view.begin_type = element_of<Index>();
  view.places = columns.places.data();
  view.values = columns.values.data();
  view.terms = columns.terms;
  view.missing = columns.missing.empty() ? nullptr : columns.missing.data();
  return view;
}

[[noreturn]] void refuse(const std::string& what, const char* hint) {
  throw Error(Errc::bad_argument, what, hint);
}

DataView view_of(const Table& table) {
  if (!table.labels.empty() && std::ssize(table.labels) != table.rows())
    refuse("the table has no label for each row",
           "name the label column as target, or give one label per row");
  if (table.numbers.columns() > 0 && table.numbers.rows() != table.rows())
    refuse(fmt::format("{} rows of numbers in a table of {}", table.numbers.rows(), table.rows()),
           "give the numbers of every row");
  DataView view{.rows = table.rows(), .columns = table.columns};
  if (table.numbers.columns() > 0) view.numbers.push_back(numbers_of(table));
  for (std::size_t j = 0; j < table.levels.size(); ++j)
    view.codes.emplace_back(table.rows() > 0 ? table.codes.column(static_cast<Index>(j)) : nullptr,
                            table.levels[j], table.codes.columns());
  for (const SparseColumns& columns : table.sparse) view.sparse.push_back(view_of(columns));
  view.target = table.target;
  static constexpr std::int32_t no_label = -1;  // no row, no label: whether there are any is moot
  if (!table.labels.empty() || table.rows() == 0)
    view.labels = CodesView(table.labels.empty() ? &no_label : table.labels.data(), table.classes);
  view.weights = table.weights;
  view.source = table.source;
  view.lines = table.lines;
  return view;
}

/// As many views as columns of each kind.
void check(const DataView& data) {
  Index numbers = 0, codes = 0, texts = 0;
  for (const Column& column : data.columns) {
    if (data::kept_as_number(column.type))
      ++numbers;
    else
      ++(column.type == ColumnType::text ? texts : codes);
  }
  Index given = 0, given_texts = 0;
  for (const NumbersView& piece : data.numbers) given += piece.columns;
  for (const SparseView& sparse : data.sparse) given_texts += sparse.kind == SparseKind::text;
  if (!data.by_position &&
      (numbers != given || codes != std::ssize(data.codes) || texts != given_texts))
    refuse(fmt::format(
               "the columns are {} numbers, {} codes and {} texts, but {}, {} and {} are given",
               numbers, codes, texts, given, data.codes.size(), given_texts),
           "give a view for every column");
  if (!data.weights.empty() && std::ssize(data.weights) != data.rows)
    refuse(fmt::format("{} weights for {} rows", data.weights.size(), data.rows),
           "give one weight per row, or none");
  if (!data.lines.empty() && std::ssize(data.lines) != data.rows)
    refuse(fmt::format("{} lines for {} rows", data.lines.size(), data.rows),
           "give one line number per row, or none");
}

}  // namespace

double NumbersView::operator()(Index row, Index column) const {
  if (!detail::is_valid(valid, row)) return missing;
  return detail::visit_elements(data, type, [&](const auto* first) {
    return static_cast<double>(first[row * strides.row + column * strides.column]);
  });
}

std::int32_t CodesView::any_code(Index row) const {
  if (!detail::is_valid(valid, row)) return -1;
  return detail::visit_elements(data, type, [&](const auto* first) {
    const auto code = first[row * stride];
    const bool known = code >= 0 && static_cast<std::uint64_t>(code) < names.size();
    return known ? static_cast<std::int32_t>(code) : -1;
  });
}

double SparseView::any_value(Index entry) const {
  return detail::visit_elements(
      values, value_type, [&](const auto* first) { return static_cast<double>(first[entry]); });
}

Rows::Rows() : data_(std::make_shared<const DataView>()) {}

Rows::Rows(const Table& table) : Rows(view_of(table)) {}

Rows::Rows(const MatrixView& numbers)
    : data_(std::make_shared<const DataView>(
          DataView{.rows = numbers.rows(), .numbers = {numbers}, .by_position = true})),
      count_(numbers.rows()) {}

Rows::Rows(DataView data) : count_(data.rows) {
  check(data);
  data_ = std::make_shared<const DataView>(std::move(data));
}

Rows Rows::between(Index begin, Index end) const {
  Rows some = *this;
  if (list_ != nullptr)
    some.list_ = list_ + begin;
  else
    some.first_ = first_ + begin;
  some.count_ = end - begin;
  return some;
}

Rows Rows::only(std::span<const Index> rows) const {
  static constexpr Index none = 0;
  Rows some = *this;
  some.list_ = rows.empty() ? &none : rows.data();
  some.count_ = std::ssize(rows);
  return some;
}

std::string Rows::place(Index row) const {
  if (data_->lines.empty()) return fmt::format("row {}", row + 1);
  return fmt::format("{}:{}", data_->source, data_->lines[static_cast<std::size_t>(row)]);
}

Rows detail::labelled_rows(const MatrixView& numbers, const CodesView& labels, Index count,
                           const Labelled& about) {
  if (count != numbers.rows())
    refuse(fmt::format("{} labels for {} rows", count, numbers.rows()), "give one label per row");
  if (!about.names.empty() && std::ssize(about.names) != numbers.columns())
    refuse(fmt::format("{} names for {} columns", about.names.size(), numbers.columns()),
           "give one name per column, or none");
  DataView data{.rows = numbers.rows(),
                .numbers = {numbers},
                .target = "class",
                .labels = labels,
                .weights = about.weights};
  for (Index j = 0; j < numbers.columns(); ++j)
    data.columns.push_back(
        {about.names.empty() ? fmt::format("x{}", j + 1) : about.names[static_cast<std::size_t>(j)],
         ColumnType::numeric});
  return Rows(std::move(data));
}

}  // namespace genera
