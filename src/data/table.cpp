#include <genera/table.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <unordered_set>
#include <utility>

#include <genera/error.hpp>
#include <genera/names.hpp>
#include "data/join_tables.hpp"
#include "data/text/text_terms.hpp"
#include "kernel/progress.hpp"
#include "kernel/text.hpp"

namespace genera {
namespace {

std::vector<std::int32_t> recode(const std::vector<std::string>& names, NameSet& codes) {
  std::vector<std::int32_t> mapped;
  mapped.reserve(names.size());
  for (const std::string& name : names) mapped.push_back(codes.add(name));
  return mapped;
}

std::int32_t mapped(const std::vector<std::int32_t>& map, std::int32_t code) {
  return code < 0 ? code : map[static_cast<std::size_t>(code)];
}

void check_same_columns(const Table& first, const Table& other) {
  const auto same_kind = [](const SparseColumns& a, const SparseColumns& b) {
    return a.kind == b.kind;
  };
  if (first.columns == other.columns && std::ranges::equal(first.sparse, other.sparse, same_kind))
    return;
  throw Error(Errc::bad_data, "rows with other columns cannot be appended to a table",
              "give both tables the same columns, in the same order and of the same types");
}

Matrix join_numbers(const std::vector<Table>& parts, Index rows) {
  const Index d = parts.front().numbers.columns();
  Vector values;
  values.reserve(static_cast<std::size_t>(rows * d));
  for (const Table& part : parts)
    values.insert(values.end(), part.numbers.data(), part.numbers.data() + part.rows() * d);
  return {rows, d, std::move(values)};
}

void join_codes(const std::vector<Table>& parts, Table& whole) {
  const Index columns = static_cast<Index>(parts.front().levels.size());
  whole.codes = Codes(whole.row_count, columns);
  for (Index j = 0; j < columns; ++j) {
    NameSet codes;
    Index row = 0;
    for (const Table& part : parts) {
      const auto map = recode(part.levels[static_cast<std::size_t>(j)], codes);
      for (Index i = 0; i < part.rows(); ++i, ++row)
        whole.codes(row, j) = mapped(map, part.codes(i, j));
    }
    whole.levels.push_back(std::move(codes).take_names());
  }
}

void append_rows(const SparseColumns& part, Index rows, NameSet& names, SparseColumns& whole) {
  const auto map = recode(part.terms, names);
  const auto before = static_cast<Index>(whole.places.size());
  for (std::size_t i = 1; i < part.begins.size(); ++i)
    whole.begins.push_back(before + part.begins[i]);
  for (const std::int32_t place : part.places) whole.places.push_back(mapped(map, place));
  whole.values.insert(whole.values.end(), part.values.begin(), part.values.end());
  if (part.missing.empty())
    whole.missing.insert(whole.missing.end(), static_cast<std::size_t>(rows), 0);
  else
    whole.missing.insert(whole.missing.end(), part.missing.begin(), part.missing.end());
}

void join_sparse(const std::vector<Table>& parts, Table& whole) {
  for (std::size_t s = 0; s < parts.front().sparse.size(); ++s) {
    SparseColumns joined;
    joined.name = parts.front().sparse[s].name;
    joined.text_options = parts.front().sparse[s].text_options;
    joined.kind = parts.front().sparse[s].kind;
    joined.all_columns = parts.front().sparse[s].all_columns;
    NameSet names;
    for (const Table& part : parts) append_rows(part.sparse[s], part.rows(), names, joined);
    const auto none = std::count(joined.missing.begin(), joined.missing.end(), 0);
    if (none == static_cast<Index>(joined.missing.size())) joined.missing.clear();
    joined.terms = std::move(names).take_names();
    whole.sparse.push_back(std::move(joined));
  }
}

void join_labels(const std::vector<Table>& parts, Table& whole) {
  const auto labelled = [](const Table& part) { return !part.labels.empty(); };
  if (std::none_of(parts.begin(), parts.end(), labelled)) return;
  NameSet codes;
  for (const Table& part : parts) {
    const auto map = recode(part.classes, codes);
    for (Index i = 0; i < part.rows(); ++i)
      whole.labels.push_back(labelled(part) ? mapped(map, part.labels[static_cast<std::size_t>(i)])
                                            : -1);
  }
  whole.classes = std::move(codes).take_names();
}

void join_weights(const std::vector<Table>& parts, Table& whole) {
  const auto weighted = [](const Table& part) { return !part.weights.empty(); };
  if (std::none_of(parts.begin(), parts.end(), weighted)) return;
  // Rows without weights agree with frequencies and with weights.
  whole.frequencies = std::ranges::all_of(
      parts, [&](const Table& part) { return part.frequencies || !weighted(part); });
  for (const Table& part : parts) {
    if (weighted(part))
      whole.weights.insert(whole.weights.end(), part.weights.begin(), part.weights.end());
    else
      whole.weights.insert(whole.weights.end(), static_cast<std::size_t>(part.rows()), 1.0);
  }
}

void check_shape(const std::vector<std::string>& names, const Matrix& numbers,
                 const std::vector<std::string>& labels) {
  if (static_cast<Index>(names.size()) != numbers.columns())
    throw Error(Errc::bad_argument,
                counted(std::ssize(names), "name") + " for " + counted(numbers.columns(), "column"),
                "give one name per column");
  if (!labels.empty() && static_cast<Index>(labels.size()) != numbers.rows())
    throw Error(Errc::bad_argument,
                counted(std::ssize(labels), "label") + " for " + counted(numbers.rows(), "row"),
                "give one label per row, or none");
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : names)
    if (!seen.insert(name).second)
      throw Error(Errc::bad_argument, "two columns are named '" + name + "'",
                  "give every column its own name");
}

/// Line numbers are kept only if all rows come from one file.
void join_lines(const std::vector<Table>& parts, Table& whole) {
  for (const Table& part : parts) {
    if (part.source != whole.source || static_cast<Index>(part.lines.size()) != part.rows()) {
      whole.source.clear();
      whole.lines.clear();
      return;
    }
    whole.lines.insert(whole.lines.end(), part.lines.begin(), part.lines.end());
  }
}

}  // namespace

namespace data {

Table join(std::vector<Table> parts) {
  std::erase_if(parts, [](const Table& part) {
    return part.columns.empty() && part.sparse.empty() && part.rows() == 0;
  });
  if (parts.empty()) return {};
  Table whole;
  whole.columns = parts.front().columns;
  whole.source = parts.front().source;
  whole.label_type = parts.front().label_type;
  bool all_kept = true;
  for (const Table& part : parts) {
    check_same_columns(parts.front(), part);
    whole.row_count += part.rows();
    if (whole.target.empty()) whole.target = part.target;
    if (part.label_type != whole.label_type) whole.label_type = LabelType::unknown;
    all_kept = all_kept && static_cast<Index>(part.kept.size()) == part.rows();
  }
  whole.numbers = join_numbers(parts, whole.row_count);
  join_codes(parts, whole);
  join_sparse(parts, whole);
  join_labels(parts, whole);
  join_weights(parts, whole);
  join_lines(parts, whole);
  if (all_kept) {
    whole.kept_header = parts.front().kept_header;
    for (Table& part : parts) {
      std::move(part.kept.begin(), part.kept.end(), std::back_inserter(whole.kept));
      whole.cells.insert(whole.cells.end(), part.cells.begin(), part.cells.end());
      if (!whole.kept.empty()) whole.kept.back() += part.kept_rest;
    }
  }
  return whole;
}

}  // namespace data

std::string_view name_of(ColumnType type) {
  switch (type) {
    case ColumnType::numeric:
      return "numeric";
    case ColumnType::categorical:
      return "categorical";
    case ColumnType::binary:
      return "binary";
    case ColumnType::count:
      return "count";
    case ColumnType::text:
      return "text";
  }
  return "";
}

Table::Table() = default;
Table::Table(const Table&) = default;
Table::Table(Table&&) noexcept = default;
Table& Table::operator=(const Table&) = default;
Table& Table::operator=(Table&&) noexcept = default;
Table::~Table() = default;

std::string Table::place(Index row) const {
  if (lines.empty()) return "row " + std::to_string(row + 1);
  return source + ":" + std::to_string(lines[static_cast<std::size_t>(row)]);
}

std::vector<std::string> Table::number_names() const {
  std::vector<std::string> names;
  for (const Column& column : columns)
    if (data::kept_as_number(column.type)) names.push_back(column.name);
  return names;
}

void Table::append(const Table& other) {
  std::vector<Table> parts;
  parts.push_back(*this);
  parts.push_back(other);
  *this = data::join(std::move(parts));
}

std::string_view name_of(LabelType type) {
  switch (type) {
    case LabelType::unknown:
      return "unknown";
    case LabelType::text:
      return "text";
    case LabelType::integer:
      return "integer";
    case LabelType::real:
      return "real";
    case LabelType::boolean:
      return "boolean";
  }
  return "";
}

Table make_table(const std::vector<std::string>& names, Matrix numbers,
                 const std::vector<std::string>& labels) {
  check_shape(names, numbers, labels);
  Table table;
  for (const std::string& name : names) table.columns.push_back({name, ColumnType::numeric});
  table.row_count = numbers.rows();
  table.codes = Codes(table.row_count, 0);
  table.numbers = std::move(numbers);
  if (labels.empty()) return table;
  table.target = "class";
  NameSet codes;
  for (const std::string& label : labels)
    table.labels.push_back(label.empty() ? -1 : codes.add(label));
  table.classes = std::move(codes).take_names();
  return table;
}

Table make_text_table(const std::string& column, const std::vector<std::string>& texts,
                      const std::vector<std::string>& labels, const TextOptions& text_options,
                      const Control& control) {
  constexpr Index texts_between_reports = 256;
  validate(text_options);
  Table table = make_table({}, Matrix(std::ssize(texts), 0), labels);
  table.columns.push_back({column, ColumnType::text});
  data::TermCounter counter(text_options);
  kernel::ProgressMeter meter(control, Progress::Task::reading, std::ssize(texts));
  Index not_given = 0;
  for (const std::string& text : texts) {
    counter.add(text);
    if (++not_given == texts_between_reports) meter.advance(std::exchange(not_given, 0));
  }
  table.sparse.push_back(std::move(counter).take(column));
  return table;
}

void sort_labels(std::vector<std::string>& labels) {
  std::vector<std::pair<double, std::string>> numbered;
  for (const std::string& label : labels) {
    const std::optional<double> value = kernel::number_in(label);
    if (!value) {
      std::sort(labels.begin(), labels.end());
      return;
    }
    numbered.emplace_back(*value, label);
  }
  std::sort(numbered.begin(), numbered.end());
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = std::move(numbered[i].second);
}

/// The number of a label, if a double represents it uniquely: above 2^53, several whole numbers
/// share one double.
static std::optional<double> exact_number_in(const std::string& label) {
  constexpr double max_exact = 9007199254740992;
  const std::optional<double> value = kernel::number_in(label);
  return value && std::abs(*value) < max_exact ? value : std::nullopt;
}

std::vector<Index> find_labels(const std::vector<std::string>& classes,
                               std::span<const std::string> labels) {
  const NameSet by_name(classes), own({labels.begin(), labels.end()});
  std::map<double, Index> by_number;  // the first of equal numbers
  for (std::size_t k = 0; k < classes.size(); ++k)
    if (const auto value = exact_number_in(classes[k]); value && !own.find(classes[k]))
      by_number.emplace(*value, static_cast<Index>(k));
  std::vector<Index> places;
  places.reserve(labels.size());
  for (const std::string& label : labels) {
    const auto same = by_name.find(label);
    const auto value = same ? std::nullopt : exact_number_in(label);
    const auto equal = value ? by_number.find(*value) : by_number.end();
    places.push_back(same ? *same : equal != by_number.end() ? equal->second : -1);
  }
  return places;
}

std::optional<Index> find_label(const std::vector<std::string>& classes, const std::string& label) {
  const Index place = find_labels(classes, {&label, 1}).front();
  return place < 0 ? std::nullopt : std::optional(place);
}

}  // namespace genera
