#include "evaluate/reading.hpp"

#include <algorithm>
#include <set>

#include "data/columns.hpp"
#include "data/densified.hpp"
#include "data/few_values.hpp"

namespace genera::select_detail {
namespace {

Rows coded(const Rows& rows, const std::vector<Column>& codes) {
  return codes.empty() ? rows : data::as_codes(rows, codes);
}

std::vector<Column> columns_of(const std::vector<std::string>& names,
                               const std::vector<Column>& codes) {
  std::vector<Column> columns;
  for (const std::string& name : names) {
    const auto code = std::ranges::find(codes, name, &Column::name);
    columns.push_back(code == codes.end() ? Column{name, ColumnType::numeric} : *code);
  }
  return columns;
}

}  // namespace

std::vector<Column> Reading::codes() const {
  std::vector<Column> codes;
  for (const auto& [name, type] : types) codes.push_back({name, type});
  return codes;
}

std::vector<std::string> column_order(const SparseView& matrix) {
  std::vector<std::string> names(matrix.terms.begin(), matrix.terms.end());
  if (!matrix.all_columns) sort_labels(names);
  return names;
}

ReadRows::ReadRows(RowSource& rows)
    : rows_(rows), sparse_(rows.schema().sparse_matrix.has_value()) {}

void ReadRows::read_as(const Reading& reading, const Control& control) {
  storage_ = Storage::as_given;
  all_.reset();
  const bool counts = reading.storage == Storage::sparse_counts;
  if (reading.storage == Storage::as_given)
    rows_.set_types({.types = reading.types});
  else
    rows_.set_types(
        {.default_type = counts && sparse_ ? std::optional(ColumnType::count) : std::nullopt});
  if (reading.storage == Storage::as_given || (counts && sparse_)) return;
  if (!counts) find_columns(control);
  storage_ = reading.storage;
  codes_ = reading.codes();
  if (const Rows* given = rows_.in_memory()) {
    std::optional<Table>& table = counts ? counts_ : dense_;
    if (!table) table = stored(*given);
    all_ = coded(*table, codes_);
  }
}

RowsSchema ReadRows::schema() const {
  RowsSchema schema = rows_.schema();
  if (storage_ == Storage::as_given) return schema;
  const bool counts = storage_ == Storage::sparse_counts;
  schema.columns = counts ? std::vector<Column>() : columns_of(columns_, codes_);
  schema.sparse_matrix = counts ? std::optional(SparseKind::counts) : std::nullopt;
  schema.all_columns = counts;
  schema.text = {};
  return schema;
}

const Rows* ReadRows::in_memory() const {
  if (storage_ == Storage::as_given) return rows_.in_memory();
  return all_ ? &*all_ : nullptr;
}

Table ReadRows::stored(const Rows& rows) const {
  return storage_ == Storage::dense ? data::densified(rows, columns_) : data::sparse_counts(rows);
}

void ReadRows::run(const Control& control, const Work& work,
                   const std::function<void()>& start_again) {
  if (storage_ == Storage::as_given) return rows_.for_each_chunk(control, work, start_again);
  if (all_) return work(RowChunk(*all_, control))();
  const auto convert = [&](const Rows& chunk) {
    Table table = stored(chunk);
    return work(codes_.empty() ? std::move(table) : data::table_of(coded(table, codes_)));
  };
  rows_.for_each_chunk(control, convert, start_again);
}

void ReadRows::find_columns(const Control& control) {
  if (!columns_.empty()) return;
  if (const Rows* all = rows_.in_memory()) {
    columns_ = column_order(all->data().sparse[*data::sparse_features(all->data())]);
    return;
  }
  struct Seen {
    std::vector<std::string> names{};  // in the order of the source
    std::set<std::string> known{};
  };
  columns_ = rows_
                 .reduce(
                     control, [] { return Seen(); },
                     [](Table&& chunk) { return std::move(chunk.sparse.front().terms); },
                     [](Seen& all, const std::vector<std::string>& some) {
                       for (const std::string& name : some)
                         if (all.known.insert(name).second) all.names.push_back(name);
                     })
                 .names;
  if (!rows_.schema().all_columns) sort_labels(columns_);
}

}  // namespace genera::select_detail
