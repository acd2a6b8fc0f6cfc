#pragma once

#include <vector>

#include <genera/row_source.hpp>

/// Numeric columns that may be read as categories or counts.
namespace genera::data {

/// Columns with two to `max` different whole numbers: binary if these are 0 and 1, else
/// categorical.
[[nodiscard]] std::vector<Column> few_valued(const Table& table, std::size_t max);

/// The same rows with these numeric columns as codes, which the result owns. Levels are the numbers
/// as text. Names of other columns are ignored.
[[nodiscard]] Rows as_codes(const Rows& rows, const std::vector<Column>& columns);

/// The same rows with other types: categories as in `as_codes`, and a sparse matrix of numbers as
/// counts if the default type is `count`.
[[nodiscard]] Rows with_types(const Rows& rows, const ColumnTypes& types);
/// The schema after the same change of types.
[[nodiscard]] RowsSchema with_types(RowsSchema schema, const ColumnTypes& types);

}  // namespace genera::data
