#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <genera/row_source.hpp>

namespace genera::select_detail {

/// Storage of numeric rows for a candidate, independent of their original storage.
enum class Storage {
  as_given,
  dense,         ///< a sparse matrix with its zeros, as numeric columns
  sparse_counts  ///< columns or a sparse matrix, as a sparse matrix of counts
};

/// A choice of column types, with the sample read in this way.
struct Reading {
  std::vector<std::pair<std::string, ColumnType>> types{};
  Storage storage = Storage::as_given;
  std::string words{};  ///< "categories instead of numbers: 'a', 'b'"; empty: as the data suggest
  std::shared_ptr<const Table> table{};

  [[nodiscard]] std::vector<Column> codes() const;
};

/// Columns of a sparse matrix in the order of the source, or of their indices.
[[nodiscard]] std::vector<std::string> column_order(const SparseView& matrix);

/// The rows of a source with the column types of a reading, until the next reading is set.
class ReadRows final : public RowSource {
 public:
  /// `rows` must outlive it.
  explicit ReadRows(RowSource& rows);
  /// May make a pass to find the columns of a sparse matrix. Keeps what it converts in memory.
  void read_as(const Reading& reading, const Control& control);

  [[nodiscard]] RowsSchema schema() const override;
  [[nodiscard]] const std::string& name() const override { return rows_.name(); }
  [[nodiscard]] const std::vector<Note>& notes() const override { return rows_.notes(); }
  [[nodiscard]] Passes passes() const override { return rows_.passes(); }
  [[nodiscard]] const Rows* in_memory() const override;
  [[nodiscard]] std::vector<std::string> fixed_types() const override {
    return rows_.fixed_types();
  }
  void set_types(const ColumnTypes& types) override { rows_.set_types(types); }

 private:
  void run(const Control& control, const Work& work,
           const std::function<void()>& start_again) override;
  [[nodiscard]] Table stored(const Rows& rows) const;
  void find_columns(const Control& control);

  RowSource& rows_;
  bool sparse_;                          // original storage
  Storage storage_ = Storage::as_given;  // storage after conversion
  std::vector<Column> codes_;            // numeric columns to read as codes
  std::vector<std::string> columns_;     // of a sparse matrix, once needed
  std::optional<Table> dense_, counts_;  // converted rows in memory
  std::optional<Rows> all_;              // the rows as they are read
};

}  // namespace genera::select_detail
