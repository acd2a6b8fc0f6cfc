#pragma once

#include <vector>

#include <genera/row_source.hpp>

/// Columns of numbers that may as well be categories, or counts.
namespace genera::data {

/// Whole numbers, two to `max` different ones: binary if they are 0 and 1, else categorical.
[[nodiscard]] std::vector<Column> few_valued(const Table& table, std::size_t max);

/// The same rows with these columns of numbers as codes, which the result owns; a level is the
/// number as text. Names of other columns are ignored.
[[nodiscard]] Rows as_codes(const Rows& rows, const std::vector<Column>& columns);

/// The same rows with other types: categories as `as_codes` makes them, and a sparse matrix of
/// numbers as one of counts if the default type is `count`.
[[nodiscard]] Rows with_types(const Rows& rows, const ColumnTypes& types);
/// The schema of such rows.
[[nodiscard]] RowsSchema with_types(RowsSchema schema, const ColumnTypes& types);

}  // namespace genera::data
