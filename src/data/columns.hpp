#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <genera/names.hpp>
#include <genera/rows.hpp>

#include "kernel/gather.hpp"

/// Where the columns of rows are, and how they are read: the one place that knows.
namespace genera::data {

/// Whether values of this type are kept as numbers (the others are codes, or text).
[[nodiscard]] constexpr bool kept_as_number(ColumnType type) {
  return type == ColumnType::numeric || type == ColumnType::count;
}
[[nodiscard]] constexpr bool kept_as_code(ColumnType type) {
  return type == ColumnType::categorical || type == ColumnType::binary;
}

/// Where the cells of a feature are: at which place among the numbers, codes or texts.
struct FeaturePlace {
  enum class Kind { number, code, text } kind;
  Index at;
};
/// One for each column.
[[nodiscard]] std::vector<FeaturePlace> feature_places(const std::vector<Column>& columns);

/// The columns of rows by name: the place of a number among all numbers, of a code among the codes,
/// of a text among the sparse columns.
class ColumnPlaces {
 public:
  explicit ColumnPlaces(const DataView& data);

  /// Throws Error (bad_data) with the nearest names if there is no such column.
  [[nodiscard]] Index number(const std::string& name) const;
  [[nodiscard]] Index code(const std::string& name) const;
  [[nodiscard]] Index text(const std::string& name) const;

 private:
  [[nodiscard]] Index require(const NameSet& names, const std::string& name,
                              const char* kind) const;
  NameSet numbers_, codes_, texts_;
  std::vector<Index> text_places_;  // among the sparse columns
};

/// The places among the numbers of the columns of a type, or of those named; and their names.
[[nodiscard]] std::vector<Index> number_places(const DataView& data, ColumnType type);
[[nodiscard]] std::vector<Index> number_places(const DataView& data,
                                               const std::vector<std::string>& names);
[[nodiscard]] std::vector<std::string> names_of(const DataView& data, ColumnType type);
/// The sparse columns that are not text: the features of an svmlight file, or a matrix from memory.
[[nodiscard]] std::optional<std::size_t> sparse_features(const DataView& data);

/// A view of each column of numbers, in order.
[[nodiscard]] std::vector<NumbersView> single_columns(const DataView& data);

/// The same rows, labels and weights with these numbers as their only columns; by places among all
/// numbers.
[[nodiscard]] DataView only_numbers(const DataView& data, std::span<const Index> places);

/// Some columns of numbers, by their places among all numbers of the data, ready to be read.
class NumberColumns {
 public:
  NumberColumns() = default;
  NumberColumns(const DataView& data, std::span<const Index> places);
  /// All of them.
  explicit NumberColumns(const MatrixView& numbers);

  [[nodiscard]] Index count() const { return static_cast<Index>(cells_.size()); }
  [[nodiscard]] double operator()(Index row, Index column) const;

  /// Writes rows [first, first + lanes) into a panel (columns x 16, lanes are rows); unused lanes
  /// become zero. Returns whether all numbers are finite.
  bool gather_panel(Index first, Index lanes, double* panel) const;
  /// The same for any rows, at most sixteen.
  bool gather_panel(std::span<const Index> rows, double* panel) const;

  /// Where rows [first, first + count) lie, as far as there are such rows; nothing if they do not
  /// lie one after the other, or mostly hold other columns.
  [[nodiscard]] kernel::Ahead memory_of(Index first, Index count) const;

  /// Where these rows lie, by addresses that are written to `at`; none if their columns do not lie
  /// side by side.
  [[nodiscard]] kernel::RowsInMemory in_memory(std::span<const Index> rows,
                                               std::vector<const char*>& at) const;
  [[nodiscard]] kernel::RowsInMemory in_memory(const Rows& rows,
                                               std::vector<const char*>& at) const;
  [[nodiscard]] bool lies_in_memory() const;
  /// Rows [first, first + count), if they lie in memory.
  [[nodiscard]] kernel::StridedRows strided(Index first, Index count) const;

  /// Writes rows one after the other, `stride` doubles apart.
  void gather_rows(std::span<const Index> rows, Index stride, double* to) const;

  /// Where these rows lie as doubles side by side: in the data if they do so there, or in `copy`.
  void point_to_rows(std::span<const Index> rows, Vector& copy,
                     std::vector<const double*>& to) const;

 private:
  template <class RowAt>
  kernel::RowsInMemory addresses(std::size_t count_of_rows, RowAt row_at,
                                 std::vector<const char*>& at) const;
  struct Cell {
    std::size_t piece;
    Index column;
  };
  void recognise_plain(Index rows);
  bool gather_cells(std::span<const Index> rows, double* panel) const;

  std::vector<NumbersView> pieces_;
  std::vector<Cell> cells_;
  std::optional<MatrixView> plain_;  // if all are in one array of doubles or floats
  kernel::PanelLayout layout_;       // of that
  bool in_order_ = false;            // its first columns, in order
};

[[nodiscard]] NumberColumns all_numbers(const DataView& data);

}  // namespace genera::data
