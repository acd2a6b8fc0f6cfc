#pragma once

#include <vector>

#include <genera/rows.hpp>

/// Columns of numbers that may as well be categories.
namespace genera::data {

/// Whole numbers, two to `most` different ones: binary if they are 0 and 1, else categorical.
[[nodiscard]] std::vector<Column> few_valued(const Table& table, std::size_t most);

/// The same rows with these columns of numbers as codes, which the result owns; a level is the
/// number as text. Names of other columns are ignored.
[[nodiscard]] Rows as_codes(const Rows& rows, const std::vector<Column>& columns);

}  // namespace genera::data
