#pragma once

#include <vector>

#include <genera/stats.hpp>

#include "sums/count_totals.hpp"
#include "sums/schema.hpp"

namespace genera::sums {

/// Rows of the data that belong to each of its classes.
using RowsByClass = std::vector<std::vector<Index>>;

/// Statistics of no rows, which know the levels and terms of the data: copies of them share these.
[[nodiscard]] Statistics no_statistics(const DataView& data, const SchemaChoice& choice);

/// Adds levels, counts and terms of these rows to the classes of `statistics`, which exist. Levels
/// and terms that it knows already are those of the data. `totals` are of the same rows; those of a
/// class that lost rows since are not used. Throws Error (bad_data) on a negative count.
void count_rows(const DataView& data, const RowsByClass& rows, Entries entries,
                Statistics& statistics, const CountTotals& totals = {});

}  // namespace genera::sums
