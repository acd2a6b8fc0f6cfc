#pragma once

#include <map>
#include <string>
#include <vector>

#include <genera/genera.hpp>

/// Small tables of what is counted rather than measured.
namespace genera::testing {

using Cells = std::vector<std::string>;

/// A table of these columns, a text for each cell ("" is missing) and the label behind them.
[[nodiscard]] Table table_of(const std::vector<Column>& columns, const std::vector<Cells>& rows);

/// The same rows as an svmlight file has them: columns are numbered from 1, zeros are not there.
[[nodiscard]] Table sparse_table(const Matrix& numbers, const std::vector<std::string>& labels);
/// The same with all columns, also those that are zero in every row.
[[nodiscard]] Table matrix_table(const Matrix& numbers, const std::vector<std::string>& labels);
/// Its dense twin.
[[nodiscard]] Table dense_table(const Matrix& numbers, const std::vector<std::string>& labels,
                                ColumnType type = ColumnType::numeric);

/// Two numeric columns, two categorical, a binary one, two of counts, a text.
[[nodiscard]] const std::vector<Column>& mixed_columns();
/// n rows of them in classes a, b, c. Categories and texts miss now and then; some levels and words
/// are rare.
[[nodiscard]] std::vector<Cells> mixed_rows(Index n, std::uint64_t seed);
[[nodiscard]] inline Table mixed_table(Index n, std::uint64_t seed) {
  return table_of(mixed_columns(), mixed_rows(n, seed));
}

/// The columns at `places` of a table that is written as cells, and the label.
[[nodiscard]] std::vector<Cells> cells_at(const std::vector<Cells>& rows,
                                          const std::vector<std::size_t>& places);
[[nodiscard]] std::vector<Column> columns_at(const std::vector<Column>& columns,
                                             const std::vector<std::size_t>& places);

/// Statistics of labelled rows, none or many.
[[nodiscard]] Statistics counted(const Table& table, bool joint = false);

/// Everything that statistics hold and that is not zero, by name: "a/colour=red" -> weight.
[[nodiscard]] std::map<std::string, double> by_name(const Statistics& statistics);
/// The largest difference of two such, relative to numbers above one.
[[nodiscard]] double largest_difference(const std::map<std::string, double>& a,
                                        const std::map<std::string, double>& b);

/// The same of log probabilities: two that are impossible do not differ; NaN differs from all.
[[nodiscard]] double largest_log_difference(const Matrix& a, const Matrix& b);

/// Every combination of one of each: rows of cells, the label left empty.
[[nodiscard]] std::vector<Cells> all_combinations(const std::vector<Cells>& levels);

}  // namespace genera::testing
