#pragma once

#include <genera/stream.hpp>

#include <optional>
#include <string>

namespace genera::cli {

/// How tables with filled cells are written: as they were read, but for these cells.
class CompletedRows {
 public:
  /// `draw`: what a first column of that name holds.
  CompletedRows(const CsvOptions& format, std::optional<Index> draw);

  /// Of any block; nothing if the source has no header.
  [[nodiscard]] std::string header(const Table& read) const;
  /// `read` has its records (Roles::keep_records); `filled` is the same table without holes.
  [[nodiscard]] std::string lines(const Table& read, const Table& filled) const;

 private:
  struct Cell {
    Index row, column, place;  ///< column of the table; place among the numbers, or the codes
  };
  /// The cell as it is written; empty if it was not filled.
  [[nodiscard]] std::optional<std::string> number(const Table& read, const Table& filled,
                                                  const Cell& cell) const;
  [[nodiscard]] std::optional<std::string> level(const Table& read, const Table& filled,
                                                 const Cell& cell) const;
  [[nodiscard]] std::string record(const Table& read, const Table& filled, Index row) const;

  bool has_header_;
  char delimiter_, decimal_;
  std::optional<Index> draw_;
};

}  // namespace genera::cli
