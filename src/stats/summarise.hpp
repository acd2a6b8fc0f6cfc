#pragma once

#include <functional>
#include <vector>

#include <genera/stats.hpp>

#include "stats/schema.hpp"

namespace genera::stats {

struct RowRange {
  Index begin, end;
};

struct SummaryOptions {
  SchemaChoice schema{};
  Missing missing = Missing::refuse;
};

/// Statistics of the usable, labelled rows of a part of a table, and a count of the others. A row
/// is not usable if a number is missing in it; with Missing::drop, if anything is.
struct Summary {
  Statistics statistics{};
  Index rows = 0;
  Index unlabelled_rows = 0;
  Index incomplete_rows = 0;           // labelled, but not usable
  std::vector<Index> missing_cells{};  // per feature, in labelled rows
};

/// Tells whether a row of the table, which must outlive it, can be learned from.
[[nodiscard]] std::function<bool(Index)> usable_rows(const Table& table, Missing missing);

/// The places of these columns among the numbers of a table, which has them.
[[nodiscard]] std::vector<Index> number_places(const Table& table,
                                               const std::vector<std::string>& columns);

/// Throws Error (bad_data) on an infinite number or a weight that is negative or not finite.
[[nodiscard]] Summary summarise(const Table& table, RowRange range, const SummaryOptions& options);

/// Adds b to a, block after block.
void merge(Summary& a, const Summary& b);

/// The whole table, in blocks of rows_per_block, on several threads.
[[nodiscard]] Summary summarise_all(const Table& table, const SummaryOptions& options, int threads);

}  // namespace genera::stats
