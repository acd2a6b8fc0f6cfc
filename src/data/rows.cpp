#include <genera/rows.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/names.hpp>

#include "data/columns.hpp"
#include "data/largest_weight.hpp"

namespace genera {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

NumbersView numbers_of(const Table& table) { return MatrixView(table.numbers); }

[[noreturn]] void refuse(const std::string& what, const char* hint) {
  throw Error(Errc::bad_argument, what, hint);
}

/// Does not check the indices of entries, which would cost as much as reading them in a fit.
void check(const SparseColumns& columns, Index rows) {
  const auto refuse_with = [&](const std::string& what, const char* hint) {
    refuse(columns.kind == SparseKind::text
               ? fmt::format("the text column '{}' has {}", columns.name, what)
               : "the sparse matrix has " + what,
           hint);
  };
  const std::vector<Index>& begins = columns.begins;
  if (std::ssize(begins) != rows + 1)
    refuse_with(counted(std::ssize(begins), "begin") + " for " + counted(rows, "row"),
                "give the begin of each row, and the end of the last one");
  if (!columns.missing.empty() && std::ssize(columns.missing) != rows)
    refuse_with(
        fmt::format("marks of missing texts for {} of {} rows", columns.missing.size(), rows),
        "give one mark per row, or none");
  if (columns.places.size() != columns.values.size())
    refuse_with(
        fmt::format("{} places for {} values", columns.places.size(), columns.values.size()),
        "give the place of each value");
  if (begins.front() < 0 || !std::ranges::is_sorted(begins) ||
      begins.back() > std::ssize(columns.values))
    refuse_with(fmt::format("begins that do not ascend from 0 to at most {}, the number of values",
                            columns.values.size()),
                "give the entries row by row");
}

void check(const Table& table) {
  if (!table.labels.empty() && std::ssize(table.labels) != table.rows())
    refuse("the table has no label for each row",
           "name the label column as target, or give one label per row");
  if (table.numbers.columns() > 0 && table.numbers.rows() != table.rows())
    refuse(fmt::format("{} of numbers in a table of {}", counted(table.numbers.rows(), "row"),
                       table.rows()),
           "give the numbers of every row");
  const Codes& codes = table.codes;
  const bool coded = codes.columns() > 0 || !table.levels.empty();
  if (coded && table.rows() > 0 &&
      (codes.rows() != table.rows() || codes.columns() != std::ssize(table.levels)))
    refuse(fmt::format("the codes are {} x {}, but the rows and lists of levels ask for {} x {}",
                       codes.rows(), codes.columns(), table.rows(), table.levels.size()),
           "give every row a code for each list of levels");
  for (const SparseColumns& columns : table.sparse) check(columns, table.rows());
}

DataView view_of(const Table& table) {
  check(table);
  DataView view{.rows = table.rows(), .columns = table.columns};
  if (table.numbers.columns() > 0) view.numbers.push_back(numbers_of(table));
  for (std::size_t j = 0; j < table.levels.size(); ++j)
    view.codes.emplace_back(table.rows() > 0 ? table.codes.column(static_cast<Index>(j)) : nullptr,
                            table.levels[j], table.codes.columns());
  for (const SparseColumns& columns : table.sparse) view.sparse.emplace_back(columns);
  view.target = table.target;
  view.label_type = table.label_type;
  static constexpr std::int32_t no_label = -1;  // a table without rows may or may not have labels
  if (!table.labels.empty() || table.rows() == 0)
    view.labels = CodesView(table.labels.empty() ? &no_label : table.labels.data(), table.classes);
  view.weights = table.weights;
  view.frequencies = table.frequencies;
  view.source = table.source;
  view.lines = table.lines;
  return view;
}

/// Checks that names are not empty and distinct, since columns are found by name.
void check_names(const std::vector<Column>& columns) {
  NameSet names;
  names.reserve(columns.size());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (names.add(columns[j].name) != static_cast<std::int32_t>(j))
      refuse(fmt::format("two columns are named '{}'", columns[j].name),
             "give every column its own name");
  }
}

/// Checks that there is a view for each column.
void check_columns(const DataView& data) {
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
  if (numbers != given || codes != std::ssize(data.codes) || texts != given_texts)
    refuse(fmt::format("the columns are {}, {} and {}, but {}, {} and {} are given",
                       counted(numbers, "number"), counted(codes, "code"), counted(texts, "text"),
                       given, data.codes.size(), given_texts),
           "give a view for every column");
  check_names(data.columns);
}

void check_sparse(const DataView& data) {
  const auto is_index = [](Element type) { return type == Element::i32 || type == Element::i64; };
  Index matrices = 0;
  for (const SparseView& sparse : data.sparse) {
    matrices += sparse.kind != SparseKind::text;
    if (!is_index(sparse.begin_type) || !is_index(sparse.place_type))
      refuse("the begins or places of a sparse matrix are not integers of 32 or 64 bits",
             "convert them");
  }
  if (matrices > 0 && data.sparse.size() > 1)
    refuse("a sparse matrix stands beside another, or beside a text",
           "join the matrices into one, or leave the text out");
}

void check(const DataView& data) {
  if (!data.by_position) check_columns(data);
  check_sparse(data);
  if (!data.weights.empty() && std::ssize(data.weights) != data.rows)
    refuse(counted(std::ssize(data.weights), "weight") + " for " + counted(data.rows, "row"),
           "give one weight per row, or none");
  const auto is_frequency = [](double weight) {
    return weight >= 0 && weight == std::floor(weight) && weight <= data::max_frequency;
  };
  if (data.frequencies && !std::ranges::all_of(data.weights, is_frequency))
    refuse("the frequencies of rows are not whole numbers from 0 to 1e9",
           "give whole numbers, or weights that are not frequencies");
  if (!data.lines.empty() && std::ssize(data.lines) != data.rows)
    refuse(counted(std::ssize(data.lines), "line") + " for " + counted(data.rows, "row"),
           "give one line number per row, or none");
}

/// Numbers with labels, and the class names that they refer to.
struct NumberedClasses {
  std::vector<std::string> names;
  DataView data;
};

/// The largest label and its row; -1 if all are missing.
std::pair<std::int64_t, Index> largest_label(const CodesView& labels, Index rows) {
  std::pair<std::int64_t, Index> largest{-1, 0};
  for (Index i = 0; i < rows; ++i) {
    if (const std::int64_t label = labels.raw(i); label > largest.first) largest = {label, i};
  }
  return largest;
}

}  // namespace

double NumbersView::operator()(Index row, Index column) const {
  if (!detail::is_valid(valid, row)) return missing;
  return detail::visit_elements(data, type, [&](const auto* first) {
    return static_cast<double>(first[row * strides.row + column * strides.column]);
  });
}

std::int64_t CodesView::raw(Index row) const {
  if (!detail::is_valid(valid, row)) return -1;
  return detail::visit_elements(data, type, [&](const auto* first) -> std::int64_t {
    constexpr std::uint64_t max = std::numeric_limits<std::int64_t>::max();
    const auto code = first[row * stride];
    if constexpr (std::is_same_v<decltype(code), const std::uint64_t>)
      return static_cast<std::int64_t>(std::min(code, max));
    else
      return static_cast<std::int64_t>(code);
  });
}

std::int32_t CodesView::any_code(Index row) const {
  const std::int64_t code = raw(row);
  return code >= 0 && code < std::ssize(names) ? static_cast<std::int32_t>(code) : -1;
}

SparseView::SparseView(const SparseColumns& columns)
    : kind(columns.kind),
      name(columns.name),
      text_options(columns.text_options),
      begins(columns.begins.data()),
      places(columns.places.data()),
      values(columns.values.data()),
      begin_type(element_of<Index>()),
      terms(columns.terms),
      all_columns(columns.all_columns),
      missing(columns.missing.empty() ? nullptr : columns.missing.data()) {}

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

Rows::Rows(DataView data) : Rows(std::make_shared<const DataView>(std::move(data))) {}

Rows::Rows(std::shared_ptr<const DataView> data) : data_(std::move(data)), count_(data_->rows) {
  check(*data_);
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

Rows Rows::in(const Rows& other) const {
  Rows same = *this;
  same.data_ = other.data_;
  return same;
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
    refuse(counted(count, "label") + " for " + counted(numbers.rows(), "row"),
           "give one label per row");
  if (!about.names.empty() && std::ssize(about.names) != numbers.columns())
    refuse(
        counted(std::ssize(about.names), "name") + " for " + counted(numbers.columns(), "column"),
        "give one name per column, or none");
  const auto owned = std::make_shared<NumberedClasses>();
  owned->data = {.rows = numbers.rows(),
                 .numbers = {numbers},
                 .target = "class",
                 .labels = labels,
                 .weights = about.weights};
  DataView& data = owned->data;
  constexpr std::int64_t max_classes = 1'000'000;  // a name is made for each of them
  const auto [largest, row] = largest_label(labels, count);
  const bool named = !about.classes.empty();
  if (largest >= (named ? std::ssize(about.classes) : max_classes))
    refuse(named ? fmt::format("row {}: the label {} is not a place in the list of {} classes",
                               row + 1, largest, about.classes.size())
                 : fmt::format("row {}: the label {} is larger than {}", row + 1, largest,
                               max_classes - 1),
           "number the classes from 0");
  if (!named) {
    for (std::int64_t label = 0; label <= largest; ++label)
      owned->names.push_back(fmt::to_string(label));
    data.labels.names = owned->names;
  }
  for (Index j = 0; j < numbers.columns(); ++j)
    data.columns.push_back(
        {about.names.empty() ? fmt::format("x{}", j + 1) : about.names[static_cast<std::size_t>(j)],
         ColumnType::numeric});
  return Rows(std::shared_ptr<const DataView>(owned, &owned->data));
}

}  // namespace genera
