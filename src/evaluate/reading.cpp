#include "evaluate/reading.hpp"

#include <algorithm>
#include <set>

#include "data/columns.hpp"
#include "data/densified.hpp"
#include "data/few_values.hpp"

namespace genera::select_detail {
namespace {

/// The same rows with a sparse matrix of counts.
Rows with_counts(const Rows& rows) {
  DataView data = rows.data();
  for (SparseView& one : data.sparse)
    if (one.kind == SparseKind::numbers) one.kind = SparseKind::counts;
  return rows.in(Rows(std::move(data)));
}

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

Rows ReadRows::as(const Reading& reading) {
  return coded(stored(reading.storage), reading.codes());
}

Rows ReadRows::stored(Storage storage) {
  const auto matrix = data::sparse_features(rows_.data());
  if (storage == Storage::dense) {
    if (!dense_) dense_ = data::densified(rows_, column_order(rows_.data().sparse[*matrix]));
    return *dense_;
  }
  if (storage == Storage::as_given) return rows_;
  if (matrix) return with_counts(rows_);
  if (!counts_) counts_ = data::sparse_counts(rows_);
  return *counts_;
}

ReadStream::ReadStream(RowStream& rows) : rows_(rows), sparse_(rows.sparse_matrix().has_value()) {
  if (rows.roles() != nullptr) told_ = *rows.roles();
}

void ReadStream::read_as(const Reading& reading, const Control& control) {
  rows_.give_as({});
  if (told_) rows_.read_as(roles(reading));
  rows_.give_as(form(reading, control));
}

Roles ReadStream::roles(const Reading& reading) const {
  Roles roles = *told_;
  if (reading.storage == Storage::as_given)
    roles.types.insert(roles.types.end(), reading.types.begin(), reading.types.end());
  if (reading.storage == Storage::sparse_counts && sparse_) roles.default_type = ColumnType::count;
  return roles;
}

ChunkForm ReadStream::form(const Reading& reading, const Control& control) {
  if (reading.storage == Storage::dense)
    return {.columns = columns_of(all_columns(control), reading.codes()),
            .change = [this, codes = reading.codes()](Table&& chunk) {
              Table dense = data::densified(chunk, columns_);
              return codes.empty() ? dense : data::table_of(data::as_codes(dense, codes));
            }};
  if (reading.storage == Storage::sparse_counts && !sparse_)
    return {.sparse_matrix = SparseKind::counts,
            .change = [](Table&& chunk) { return data::sparse_counts(chunk); }};
  return {};
}

const std::vector<std::string>& ReadStream::all_columns(const Control& control) {
  if (!columns_.empty()) return columns_;
  const auto seen = rows_.reduce(
      control, [] { return std::set<std::string>(); },
      [](Table&& chunk) { return std::move(chunk.sparse.front().terms); },
      [](std::set<std::string>& all, const std::vector<std::string>& some) {
        all.insert(some.begin(), some.end());
      });
  columns_.assign(seen.begin(), seen.end());
  sort_labels(columns_);
  return columns_;
}

}  // namespace genera::select_detail
