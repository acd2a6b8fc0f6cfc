#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <genera/rows.hpp>
#include <genera/stream.hpp>

namespace genera::select_detail {

/// How rows of numbers are stored for a candidate, whatever form they came in.
enum class Storage {
  as_given,
  dense,         ///< a sparse matrix with all its zeros, as numeric columns
  sparse_counts  ///< columns, or a sparse matrix, as a sparse matrix of counts
};

/// A way to read the columns; the table is that of the sample, read so.
struct Reading {
  std::vector<std::pair<std::string, ColumnType>> types{};
  Storage storage = Storage::as_given;
  std::string words{};  ///< "categories instead of numbers: 'a', 'b'"; empty: as the data suggest
  std::shared_ptr<const Table> table{};

  [[nodiscard]] std::vector<Column> codes() const;
};

/// The columns of a sparse matrix in the order of its source, or of their indices.
[[nodiscard]] std::vector<std::string> column_order(const SparseView& matrix);

/// Rows in memory as readings have them; conversions are kept, and the rows must outlive them.
class ReadRows {
 public:
  explicit ReadRows(Rows rows) : rows_(std::move(rows)) {}
  [[nodiscard]] Rows as(const Reading& reading);

 private:
  [[nodiscard]] Rows stored(Storage storage);

  Rows rows_;
  std::optional<Table> dense_, counts_;
};

/// The same of a stream: each reading holds until the next one.
class ReadStream {
 public:
  explicit ReadStream(RowStream& rows);
  void read_as(const Reading& reading, const Control& control);
  [[nodiscard]] const std::optional<Roles>& told() const { return told_; }

 private:
  [[nodiscard]] Roles roles(const Reading& reading) const;
  [[nodiscard]] ChunkForm form(const Reading& reading, const Control& control);
  [[nodiscard]] const std::vector<std::string>& all_columns(const Control& control);

  RowStream& rows_;
  bool sparse_;
  std::optional<Roles> told_;
  std::vector<std::string> columns_;  // of a sparse matrix, once they are asked for
};

}  // namespace genera::select_detail
