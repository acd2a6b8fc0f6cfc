#pragma once

#include <memory>
#include <string>
#include <vector>

#include <genera/row_source.hpp>

namespace genera::data {

[[nodiscard]] RowsSchema schema_of(const DataView& data);

/// Rows in memory, as one chunk that all threads may work on.
class MemoryRows final : public RowSource {
 public:
  explicit MemoryRows(const Rows& rows);
  /// Reads all rows of another source and takes its name and notes.
  MemoryRows(RowSource& source, const Control& control);

  [[nodiscard]] RowsSchema schema() const override { return schema_of(rows_.data()); }
  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const std::vector<Note>& notes() const override { return notes_; }
  [[nodiscard]] const Rows* in_memory() const override { return &rows_; }
  void set_types(const ColumnTypes& types) override;

 private:
  void run(const Control& control, const Work& work,
           const std::function<void()>& start_again) override;

  Table table_;  // after reading a source
  Rows given_, rows_;
  std::string name_;
  std::vector<Note> notes_;
};

/// A source whose rows are read into memory on request.
class KeptRows {
 public:
  /// `source` must outlive it.
  explicit KeptRows(RowSource& source) : source_(&source) {}

  /// Reads all rows, unless they are already in memory.
  void keep(const Control& control);
  /// All rows, after `keep`.
  [[nodiscard]] const Rows& rows() const { return *source_->in_memory(); }

  [[nodiscard]] RowSource& operator*() const { return *source_; }
  [[nodiscard]] RowSource* operator->() const { return source_; }

 private:
  std::unique_ptr<MemoryRows> kept_;
  RowSource* source_;
};

}  // namespace genera::data
