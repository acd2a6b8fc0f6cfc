#pragma once

#include <algorithm>
#include <optional>

#include <genera/recipe.hpp>

#include "sums/schema.hpp"
#include "sums/summarise.hpp"

namespace genera::blocks {

/// Requirements of blocks on the rows, known before the first row is read.
struct RowNeeds {
  Scatter scatter = Scatter::none;         ///< of numbers
  std::optional<sums::Entries> entries{};  ///< of texts and of a sparse matrix
  bool joint = false;                      ///< combinations of levels
  bool pairs = false;                      ///< pairs of levels, with numbers cut into bins
  std::optional<Index> max_bins{};         ///< of these numbers
  bool fourth_moments = false;             ///< a second pass, for Ledoit-Wolf
  bool all_rows = false;                   ///< in memory, for mixtures
  bool every_cell = false;  ///< a sparse matrix laid out with its zeros, for full covariances

  void add(const RowNeeds& more) {
    scatter = std::min(scatter, more.scatter);  // the fullest
    if (entries && more.entries && entries != more.entries)
      entries = sums::Entries::all;
    else if (more.entries)
      entries = more.entries;
    joint = joint || more.joint;
    if (more.pairs) max_bins = more.max_bins;
    pairs = pairs || more.pairs;
    fourth_moments = fourth_moments || more.fourth_moments;
    all_rows = all_rows || more.all_rows;
    every_cell = every_cell || more.every_cell;
  }
};

/// What is available of the rows when a model is made.
struct AvailableSums {
  const Statistics& statistics;
  const Vector* fourth = nullptr;  ///< sums of the second pass of Ledoit-Wolf
};

}  // namespace genera::blocks
