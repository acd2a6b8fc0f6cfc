#pragma once

#include <string>
#include <vector>

#include <genera/control.hpp>
#include <genera/facts.hpp>
#include <genera/report.hpp>
#include <genera/stream.hpp>

/// What a table contains, before anything is learned from it.
namespace genera {

/// One value of a column and the number of its cells.
struct ValueCount {
  std::string value;
  Index cells = 0;
  friend bool operator==(const ValueCount&, const ValueCount&) = default;
};

struct ColumnSummary {
  std::string name;
  ColumnType type = ColumnType::numeric;
  Index present = 0, missing = 0;  ///< cells
  /// Of a column of numbers; NaN if it has none. `deviation` has the divisor n.
  double min = 0, max = 0, mean = 0, deviation = 0;
  /// Different values; of a text column, different terms. Numbers are counted up to `max_numbers`,
  /// which then means "at least".
  Index different = 0;
  static constexpr Index max_numbers = 1000;
  /// The values, the most frequent first; empty for texts and for numbers with `max_numbers`
  /// different values.
  std::vector<ValueCount> values{};
  friend bool operator==(const ColumnSummary&, const ColumnSummary&) = default;
};

struct TableSummary {
  std::string name;  ///< of the source
  Index rows = 0;
  /// All columns but the names of rows, in the order of the file; empty for an svmlight file.
  std::vector<ColumnSummary> columns{};
  Index sparse_columns = 0, sparse_entries = 0;  ///< of an svmlight file
  std::string target{};                          ///< the column that `fit` learns
  Index classes = 0;                             ///< in it
  Index smallest_class = 0, largest_class = 0;   ///< rows
  std::vector<Column> features{};                ///< the columns that it learns from
  std::vector<Error> refusals{};                 ///< the errors with which `fit` would refuse it
  std::vector<Note> notes{};                     ///< decisions and doubts of the reader

  /// Columns that have one value only, in no or in some rows.
  [[nodiscard]] std::vector<std::string> constant_columns() const;
};

/// Reads all rows. `rows` must have been opened with Roles; they tell target and features, but all
/// columns are summarised. Weights are not used. Throws Error (bad_data) if the text is no table.
[[nodiscard]] TableSummary summarise_table(RowStream& rows, const Control& control = {});

[[nodiscard]] Facts facts(const TableSummary& summary);

}  // namespace genera
