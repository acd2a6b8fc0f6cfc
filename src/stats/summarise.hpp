#pragma once

#include <vector>

#include <genera/stats.hpp>

namespace genera::stats {

struct RowRange {
  Index begin, end;
};

/// Statistics of the complete, labelled rows of a part of a table, and a count of the others.
struct Summary {
  Statistics statistics;
  Index rows = 0;
  Index unlabelled_rows = 0;
  Index incomplete_rows = 0;           // labelled, but with a missing number
  std::vector<Index> missing_cells{};  // per numeric column
};

/// Throws Error (bad_data) on an infinite number or a weight that is negative or not finite.
[[nodiscard]] Summary summarise(const Table& table, RowRange range, Scatter kind);

/// Adds b to a, block after block.
void merge(Summary& a, const Summary& b);

/// The whole table, in blocks of rows_per_block, on several threads.
[[nodiscard]] Summary summarise_all(const Table& table, Scatter kind, int threads);

}  // namespace genera::stats
