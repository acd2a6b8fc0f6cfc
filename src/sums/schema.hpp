#pragma once

#include <vector>

#include <genera/stats.hpp>

namespace genera::sums {

/// What is kept of the entries of sparse columns. Not all of it only where an estimate follows at
/// once: statistics that are handed out keep all.
enum class Entries { all, sums, presence };

/// What is kept of rows.
struct SchemaChoice {
  Scatter scatter = Scatter::full;
  bool joint = false;
  Entries entries = Entries::all;
};
[[nodiscard]] StatisticsSchema schema_of(const RowsSchema& rows, const SchemaChoice& choice);
[[nodiscard]] StatisticsSchema schema_of(const DataView& data, const SchemaChoice& choice);

/// Where the parts of other statistics are, in our order.
struct Match {
  std::vector<Index> numeric, counts, coded, sparse;
  std::vector<Index> joint;  ///< the columns within a joint level; empty: in our order
};

/// Throws Error (bad_data) if the two keep different things.
[[nodiscard]] Match match(const StatisticsSchema& ours, const StatisticsSchema& theirs);

[[nodiscard]] bool is_identity(const std::vector<Index>& order);

}  // namespace genera::sums
