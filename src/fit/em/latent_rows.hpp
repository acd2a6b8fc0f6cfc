#pragma once

#include <vector>

#include <genera/stats.hpp>

#include "fit/em/expected_moments.hpp"
#include "kernel/patterns.hpp"

namespace genera::fit_detail {

/// The rows of a table as EM sees them: sorted by what is known of them.
struct LatentRows {
  explicit LatentRows(const Table& table);

  std::vector<std::string> columns;  ///< the numeric ones
  Matrix numbers;                    ///< n x columns
  std::vector<std::vector<Index>>
      labelled;  ///< of each class of the table, weightless rows left out
  std::vector<std::vector<kernel::Pattern>> complete;  ///< of each class: nothing missing
  std::vector<std::vector<kernel::Pattern>> lacking;   ///< of each class: by what is missing
  std::vector<Index> unlabelled;
  std::vector<kernel::Pattern> unlabelled_patterns;
  Index missing_cells = 0;
};

/// Statistics of what is observed: discrete sums of the labelled rows, and for the numbers the mean
/// and variance of each column alone over the rows that have it. Throws Error (bad_data) if a class
/// has no value in a column.
[[nodiscard]] Statistics observed_statistics(const Table& table, const LatentRows& rows,
                                             const StatisticsSchema& schema);

}  // namespace genera::fit_detail
