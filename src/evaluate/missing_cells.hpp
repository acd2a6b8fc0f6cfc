#pragma once

#include <span>

#include <genera/random.hpp>
#include <genera/rows.hpp>

#include "evaluate/training_samples.hpp"

/// Cells that are removed at random, and what is put in their place where nothing may be missing.
namespace genera::curves_detail {

/// A copy of the rows in which every number and every category is missing with the probability
/// `share`, each on its own. Which ones depends on positions and columns alone: rows whose columns
/// have other types lose the same cells. Texts stay.
[[nodiscard]] Table with_missing(const Rows& rows, double share, const Rng& rng);

/// A copy without the numeric columns of which some class has no value in the rows `training`:
/// nothing can be learned about it there.
[[nodiscard]] Table known_columns(const Table& table, const Population& population,
                                  std::span<const Index> training);

/// A copy without holes: a missing number is the mean of its column in the rows `training`, a count
/// the mean rounded, a category the most frequent one, a text empty.
[[nodiscard]] Table filled_by_means(const Table& table, std::span<const Index> training);

}  // namespace genera::curves_detail
