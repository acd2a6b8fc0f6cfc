#pragma once

#include <string>
#include <vector>

#include <genera/observed.hpp>
#include <genera/recipe.hpp>

#include "sums/observe.hpp"

namespace genera::fit_detail {

/// What rows say column by column, whatever else they lack: where EM starts.
struct Observed {
  /// Of the labelled rows: sums of what is counted, and for the numbers the mean and variance of
  /// each column alone.
  Statistics labelled;
  /// Of all rows, those without a label in the first class: enough to see which columns, levels and
  /// terms there are.
  Statistics all;
  std::vector<std::string> empty_columns;  ///< they have no value anywhere, and are in neither
  /// A class none of whose rows has a value in a column: it has the pooled mean and variance.
  struct EmptyCell {
    std::string of_class, column;
  };
  std::vector<EmptyCell> empty_cells;
};

/// Throws Error (bad_data) if no row has a label.
[[nodiscard]] Observed available_case_estimate(const ObservedStatistics& statistics,
                                               const Recipe& recipe);

/// How sums::observe must sum up rows for the recipe.
[[nodiscard]] sums::ObserveOptions observe_options(const Recipe& recipe);

}  // namespace genera::fit_detail
