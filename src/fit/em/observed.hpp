#pragma once

#include <string>
#include <vector>

#include <genera/observed.hpp>
#include <genera/recipe.hpp>

#include "sums/observe.hpp"

namespace genera::fit_detail {

/// Statistics of each column from all rows that have a value in it: the start of EM.
struct Observed {
  /// Labelled rows: sums of counts and levels, and mean and variance of each numeric column.
  Statistics labelled;
  /// All rows, unlabelled rows in the first class: sufficient to find columns, levels and terms.
  Statistics all;
  std::vector<std::string> empty_columns;  ///< columns without any value; in neither statistics
  /// A class without a value in a column gets the pooled mean and variance of the column.
  struct EmptyCell {
    std::string of_class, column;
  };
  std::vector<EmptyCell> empty_cells;
};

/// Throws Error (bad_data) if no row has a label.
[[nodiscard]] Observed available_case_estimate(const ObservedStatistics& statistics,
                                               const Recipe& recipe);

/// The way in which sums::observe must sum up rows for the recipe.
[[nodiscard]] sums::ObserveOptions observe_options(const Recipe& recipe);

}  // namespace genera::fit_detail
