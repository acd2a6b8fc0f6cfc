#pragma once

#include <vector>

#include <genera/stats.hpp>

namespace genera::sums {

/// Which sums of the entries of sparse columns are kept. Only estimates that follow immediately use
/// fewer than `all`.
enum class Entries { all, sums, presence };

/// Which statistics of rows are kept.
struct SchemaChoice {
  Scatter scatter = Scatter::full;
  bool joint = false;
  Entries entries = Entries::all;
  bool pairs = false;
};
[[nodiscard]] StatisticsSchema schema_of(const RowsSchema& rows, const SchemaChoice& choice);
[[nodiscard]] StatisticsSchema schema_of(const DataView& data, const SchemaChoice& choice);

/// Where the columns of other statistics are, in our order.
struct Match {
  std::vector<Index> numeric, counts, coded, sparse;
  std::vector<Index> joint;  ///< columns within a joint level; empty: same order
};

/// Throws Error (bad_data) if the schemas differ.
[[nodiscard]] Match match(const StatisticsSchema& ours, const StatisticsSchema& theirs);

[[nodiscard]] bool is_identity(const std::vector<Index>& order);

}  // namespace genera::sums
