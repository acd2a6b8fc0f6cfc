#pragma once

#include <vector>

#include <genera/stats.hpp>

#include "sums/schema.hpp"

namespace genera::sums {

/// Rows of the data that belong to each of its classes.
using RowsByClass = std::vector<std::vector<Index>>;

/// Adds levels, counts and terms of these rows to the classes of `statistics`, which exist.
void count_rows(const DataView& data, const RowsByClass& rows, Entries entries,
                Statistics& statistics);

}  // namespace genera::sums
