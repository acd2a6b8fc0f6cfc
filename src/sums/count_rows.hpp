#pragma once

#include <vector>

#include <genera/stats.hpp>

#include "sums/count_totals.hpp"
#include "sums/schema.hpp"

namespace genera::sums {

/// Rows of each class, as indices into the data.
using RowsByClass = std::vector<std::vector<Index>>;

/// Empty statistics with the levels and terms of the data. Copies share these names.
[[nodiscard]] Statistics no_statistics(const DataView& data, const SchemaChoice& choice);

/// Adds levels, counts and terms of these rows to the existing classes of `statistics`, whose known
/// levels and terms must be those of the data. `totals` belong to the same rows; they are not used
/// for classes that have lost rows since. Throws Error (bad_data) for a negative count.
void count_rows(const DataView& data, const RowsByClass& rows, Entries entries,
                Statistics& statistics, const CountTotals& totals = {});

}  // namespace genera::sums
