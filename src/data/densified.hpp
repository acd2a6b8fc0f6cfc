#pragma once

#include <string>
#include <vector>

#include <genera/rows.hpp>

namespace genera::data {

/// The same rows with the columns `names` of a sparse matrix as numeric columns, 0 without an
/// entry. Other columns are left out.
[[nodiscard]] Table densified(const Rows& rows, const std::vector<std::string>& names);

/// The same rows with their numbers as one sparse matrix of counts with all columns. Other columns
/// are left out. Throws Error (bad_data) if a number is missing.
[[nodiscard]] Table sparse_counts(const Rows& rows);

/// A table with a copy of these rows.
[[nodiscard]] Table table_of(const Rows& rows);

}  // namespace genera::data
