#include <genera/table_summary.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

namespace genera {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
using Levels = std::unordered_map<std::string, Index>;

/// The cells of one column. Additive.
struct Cells {
  Index present = 0, missing = 0;
  double min = std::numeric_limits<double>::infinity(), max = -min;
  double mean = 0, squares = 0;     // sum of squared deviations from the mean
  std::map<double, Index> numbers;  // no more than max_numbers different ones
  Levels levels;                    // levels, labels or terms

  void add_number(double value) {
    if (std::isnan(value)) {
      ++missing;
      return;
    }
    ++present;
    min = std::min(min, value);
    max = std::max(max, value);
    const double change = value - mean;
    mean += change / static_cast<double>(present);
    squares += change * (value - mean);
    count(value, 1);
  }

  void add_level(const std::vector<std::string>& names, std::int32_t code) {
    if (code < 0) {
      ++missing;
      return;
    }
    ++present;
    ++levels[names[static_cast<std::size_t>(code)]];
  }

  void merge(Cells&& other) {
    const auto ours = static_cast<double>(present), theirs = static_cast<double>(other.present);
    const double change = other.mean - mean;
    if (other.present > 0) {
      squares += other.squares + change * change * ours * theirs / (ours + theirs);
      mean += change * theirs / (ours + theirs);
    }
    present += other.present;
    missing += other.missing;
    min = std::min(min, other.min);
    max = std::max(max, other.max);
    for (const auto& [value, cells] : other.numbers) count(value, cells);
    for (const auto& [level, cells] : other.levels) levels[level] += cells;
  }

 private:
  void count(double value, Index cells) {
    const auto known = numbers.find(value);
    if (known != numbers.end())
      known->second += cells;
    else if (std::ssize(numbers) < ColumnSummary::max_numbers)
      numbers.emplace(value, cells);
  }
};

struct Part {
  Index rows = 0;
  std::vector<Cells> columns;
  Cells labels;
  std::set<std::string> sparse_columns;
  Index sparse_entries = 0;

  void merge(Part&& other) {
    rows += other.rows;
    columns.resize(std::max(columns.size(), other.columns.size()));
    for (std::size_t j = 0; j < other.columns.size(); ++j)
      columns[j].merge(std::move(other.columns[j]));
    labels.merge(std::move(other.labels));
    sparse_columns.merge(other.sparse_columns);
    sparse_entries += other.sparse_entries;
  }
};

void add_texts(const SparseColumns& texts, Index rows, Cells& cells) {
  for (Index i = 0; i < rows; ++i)
    ++(!texts.missing.empty() && texts.missing[static_cast<std::size_t>(i)] != 0 ? cells.missing
                                                                                 : cells.present);
  for (std::size_t e = 0; e < texts.places.size(); ++e)
    cells.levels[texts.terms[static_cast<std::size_t>(texts.places[e])]] +=
        static_cast<Index>(texts.values[e]);
}

Part part_of(const Table& table, bool sparse_matrix) {
  Part part;
  part.rows = table.rows();
  Index number = 0, code = 0, text = 0;
  for (const Column& column : table.columns) {
    Cells& cells = part.columns.emplace_back();
    if (column.type == ColumnType::numeric || column.type == ColumnType::count) {
      for (Index i = 0; i < table.rows(); ++i) cells.add_number(table.numbers(i, number));
      ++number;
    } else if (column.type == ColumnType::text) {
      add_texts(table.sparse[static_cast<std::size_t>(text++)], table.rows(), cells);
    } else {
      const auto& names = table.levels[static_cast<std::size_t>(code)];
      for (Index i = 0; i < table.rows(); ++i) cells.add_level(names, table.codes(i, code));
      ++code;
    }
  }
  for (const std::int32_t label : table.labels) part.labels.add_level(table.classes, label);
  if (sparse_matrix)
    for (const SparseColumns& matrix : table.sparse) {
      part.sparse_columns.insert(matrix.terms.begin(), matrix.terms.end());
      part.sparse_entries += std::ssize(matrix.values);
    }
  return part;
}

std::vector<ValueCount> most_frequent_first(std::vector<ValueCount> values) {
  std::ranges::stable_sort(values, [](const ValueCount& a, const ValueCount& b) {
    return a.cells != b.cells ? a.cells > b.cells : a.value < b.value;
  });
  return values;
}

ColumnSummary summary_of(const Column& column, const Cells& cells) {
  ColumnSummary summary{.name = column.name,
                        .type = column.type,
                        .present = cells.present,
                        .missing = cells.missing,
                        .min = nan,
                        .max = nan,
                        .mean = nan,
                        .deviation = nan};
  const bool number = column.type == ColumnType::numeric || column.type == ColumnType::count;
  summary.different = number ? std::ssize(cells.numbers) : std::ssize(cells.levels);
  if (number && cells.present > 0) {
    summary.min = cells.min;
    summary.max = cells.max;
    summary.mean = cells.mean;
    summary.deviation = std::sqrt(cells.squares / static_cast<double>(cells.present));
  }
  if (number && summary.different < ColumnSummary::max_numbers)
    for (const auto& [value, count] : cells.numbers)
      summary.values.push_back({fmt::format("{}", value), count});
  if (!number && column.type != ColumnType::text)
    for (const auto& [level, count] : cells.levels) summary.values.push_back({level, count});
  summary.values = most_frequent_first(std::move(summary.values));
  return summary;
}

/// Every column is a feature.
Roles of_all_columns(const Roles& roles) {
  Roles all = roles;
  all.target = Target::none();
  all.target_edges.clear();
  all.weights.reset();
  all.frequencies = false;
  all.features.clear();
  all.drop.clear();
  all.default_type.reset();
  return all;
}

/// The columns that are no numbers after all, as the remedy of the error has it; empty if that is
/// not what is wrong.
std::vector<std::pair<std::string, ColumnType>> corrected_types(const Error& error) {
  std::vector<std::pair<std::string, ColumnType>> types;
  constexpr std::string_view categorical = "=categorical";
  for (const OptionUse& option : error.hint().options)
    for (const std::string& value : option.values)
      if (option.name == "type" && value.ends_with(categorical))
        types.emplace_back(value.substr(0, value.size() - categorical.size()),
                           ColumnType::categorical);
  return types;
}

Part read_part(RowStream& rows, const Control& control) {
  const bool sparse = rows.sparse_matrix().has_value();
  return rows.reduce(
      control, [] { return Part{}; },
      [sparse](RowChunk&& chunk) { return part_of(std::move(chunk), sparse); },
      [](Part& total, Part&& part) { total.merge(std::move(part)); });
}

/// Reads all columns; what stops `fit` is noted, and the columns concerned are categories then.
Part read_all(RowStream& rows, Roles& roles, const Control& control, std::vector<Error>& refusals) {
  while (true) {
    rows.read_as(of_all_columns(roles));
    try {
      return read_part(rows, control);
    } catch (const Error& error) {
      const auto types = corrected_types(error);
      if (error.code() != Errc::bad_data || types.empty()) throw;
      refusals.push_back(error);
      roles.types.insert(roles.types.end(), types.begin(), types.end());
    }
  }
}

void add_new(std::vector<Note>& notes, const std::vector<Note>& more,
             const std::vector<Note>& but = {}) {
  for (const Note& note : more)
    if (std::ranges::find(notes, note) == notes.end() && std::ranges::find(but, note) == but.end())
      notes.push_back(note);
}

void add_classes(const std::vector<ValueCount>& classes, TableSummary& summary) {
  summary.classes = std::ssize(classes);
  if (classes.empty()) return;
  summary.largest_class = classes.front().cells;
  summary.smallest_class = classes.back().cells;
}

void add_classes_of_columns(const Roles& roles, TableSummary& summary) {
  const auto target = std::ranges::find(summary.columns, summary.target, &ColumnSummary::name);
  if (target == summary.columns.end()) return;
  if (roles.target_edges.empty())
    add_classes(target->values, summary);
  else
    summary.classes = std::ssize(roles.target_edges) + 1;
}

void summarise_sparse(RowStream& rows, const Control& control, TableSummary& summary) {
  const Part part = read_part(rows, control);
  summary.rows = part.rows;
  summary.sparse_columns = std::ssize(part.sparse_columns);
  summary.sparse_entries = part.sparse_entries;
  const Column labels{rows.target(), ColumnType::categorical};
  add_classes(summary_of(labels, part.labels).values, summary);
  summary.target = rows.target();
  summary.notes = rows.notes();
}

Facts facts_of(const ColumnSummary& column) {
  Facts all{{"name", column.name},
            {"type", name_of(column.type)},
            {"present", column.present},
            {"missing", column.missing},
            {"different", column.different}};
  if (!std::isnan(column.mean))
    append(all, {{"min", column.min},
                 {"max", column.max},
                 {"mean", column.mean},
                 {"deviation", column.deviation}});
  all.push_back({"values", list_of(column.values, [](const ValueCount& value) {
                   return Facts{{"value", value.value}, {"cells", value.cells}};
                 })});
  return all;
}

}  // namespace

std::vector<std::string> TableSummary::constant_columns() const {
  std::vector<std::string> names;
  for (const ColumnSummary& column : columns)
    if (column.different == 1 && column.type != ColumnType::text) names.push_back(column.name);
  return names;
}

TableSummary summarise_table(RowStream& rows, const Control& control) {
  if (!rows.roles())
    throw Error(Errc::bad_argument, rows.name() + ": the columns are those that a model expects",
                "open the source with Roles");
  TableSummary summary{.name = rows.name()};
  if (rows.sparse_matrix()) {
    summarise_sparse(rows, control, summary);
    return summary;
  }
  const Roles given = *rows.roles();
  Roles roles = given;
  if (const auto refusal = rows.target_refusal()) summary.refusals.push_back(*refusal);
  const Part part = read_all(rows, roles, control, summary.refusals);
  summary.rows = part.rows;
  const std::vector<Column> columns = rows.columns();
  for (std::size_t j = 0; j < columns.size(); ++j)
    summary.columns.push_back(summary_of(columns[j], part.columns[j]));

  const std::vector<Note> after_pass = rows.notes();
  rows.read_as(of_all_columns(roles));
  const std::vector<Note> before_pass = rows.notes();
  rows.read_as(given);
  summary.target = rows.target();
  summary.features = rows.columns();
  summary.notes = rows.notes();
  add_new(summary.notes, after_pass, before_pass);
  add_classes_of_columns(given, summary);
  return summary;
}

Facts facts(const TableSummary& summary) {
  Facts all{{"name", summary.name}, {"rows", summary.rows}};
  if (summary.sparse_columns > 0)
    append(all, {{"sparse_columns", summary.sparse_columns},
                 {"sparse_entries", summary.sparse_entries}});
  else
    all.push_back({"columns", list_of(summary.columns, facts_of)});
  append(all, {{"target", summary.target},
               {"classes", summary.classes},
               {"smallest_class", summary.smallest_class},
               {"largest_class", summary.largest_class},
               {"features",
                list_of(summary.features,
                        [](const Column& column) {
                          return Facts{{"name", column.name}, {"type", name_of(column.type)}};
                        })},
               {"refusals", list_of(summary.refusals, [](const Error& error) {
                  return Facts{{"problem", error.problem()}, {"hint", error.hint()}};
                })}});
  append(all, facts(summary.notes));
  return all;
}

}  // namespace genera
