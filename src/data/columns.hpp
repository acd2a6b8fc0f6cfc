#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <genera/names.hpp>
#include <genera/rows.hpp>

#include "kernel/gather.hpp"

/// Finding and reading the columns of rows. No other code does this.
namespace genera::data {

/// True if columns of this type are stored as numbers (the others are codes or text).
[[nodiscard]] constexpr bool kept_as_number(ColumnType type) {
  return type == ColumnType::numeric || type == ColumnType::count;
}
[[nodiscard]] constexpr bool kept_as_code(ColumnType type) {
  return type == ColumnType::categorical || type == ColumnType::binary;
}

/// Location of a feature: its index among the numbers, codes or texts.
struct FeaturePlace {
  enum class Kind { number, code, text } kind;
  Index at;
};
/// One for each column.
[[nodiscard]] std::vector<FeaturePlace> feature_places(const std::vector<Column>& columns);

/// Indices of columns by name: of a number among all numbers, a code among the codes, a text among
/// the sparse columns.
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
  std::vector<Index> text_places_;  // indices among the sparse columns
};

/// Indices (among the numbers) and names of the columns of one type, or of the named columns.
[[nodiscard]] std::vector<Index> number_places(const DataView& data, ColumnType type);
[[nodiscard]] std::vector<Index> number_places(const DataView& data,
                                               const std::vector<std::string>& names);
[[nodiscard]] std::vector<std::string> names_of(const DataView& data, ColumnType type);
/// The sparse column that is not text: the features of an svmlight file, or a matrix in memory.
[[nodiscard]] std::optional<std::size_t> sparse_features(const DataView& data);

/// A view of each column of numbers, in order.
[[nodiscard]] std::vector<NumbersView> single_columns(const DataView& data);

/// The same rows, labels and weights with only these numeric columns, given by index among the
/// numbers.
[[nodiscard]] DataView only_numbers(const DataView& data, std::span<const Index> places);

/// Selected numeric columns, by index among all numbers of the data, prepared for reading.
class NumberColumns {
 public:
  NumberColumns() = default;
  NumberColumns(const DataView& data, std::span<const Index> places);
  /// All columns.
  explicit NumberColumns(const MatrixView& numbers);

  [[nodiscard]] Index count() const { return static_cast<Index>(cells_.size()); }
  [[nodiscard]] double operator()(Index row, Index column) const;

  /// Writes rows [first, first + lanes) into a panel (columns x 16, lanes are rows) and zeros into
  /// unused lanes. Returns true if all numbers are finite.
  bool gather_panel(Index first, Index lanes, double* panel) const;
  /// The same for a list of at most sixteen rows.
  bool gather_panel(std::span<const Index> rows, double* panel) const;

  /// The memory of rows [first, first + count), as far as they exist; empty if the rows are not
  /// contiguous or consist mostly of other columns.
  [[nodiscard]] kernel::Ahead memory_of(Index first, Index count) const;

  /// The addresses of these rows, written to `at`; empty if their columns are not contiguous.
  [[nodiscard]] kernel::RowsInMemory in_memory(std::span<const Index> rows,
                                               std::vector<const char*>& at) const;
  [[nodiscard]] kernel::RowsInMemory in_memory(const Rows& rows,
                                               std::vector<const char*>& at) const;
  [[nodiscard]] bool lies_in_memory() const;
  /// Rows [first, first + count), if they are in memory.
  [[nodiscard]] kernel::StridedRows strided(Index first, Index count) const;

  /// Writes the rows at a distance of `stride` doubles.
  void gather_rows(std::span<const Index> rows, Index stride, double* to) const;

  /// Pointers to these rows as contiguous doubles: into the data if possible, otherwise into
  /// `copy`.
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
  std::optional<MatrixView> plain_;  // if all columns are in one array of doubles or floats
  kernel::PanelLayout layout_;       // of plain_
  bool in_order_ = false;            // the columns are its first ones, in order
};

[[nodiscard]] NumberColumns all_numbers(const DataView& data);

}  // namespace genera::data
