#pragma once

#include <genera/recipe.hpp>
#include <genera/rows.hpp>

/// Expected cost of fitting and scoring, for progress.
namespace genera::select_detail {

struct FitSize {
  Index training = 0;   ///< training rows
  Index asked = 0;      ///< rows to be scored
  bool by_sums = true;  ///< whether the recipe needs only sums of the training rows is known
};

/// Rough number of operations, comparable between recipes. The training rows are a subset of
/// `rows`.
[[nodiscard]] double expected_cost(const Rows& rows, const AnyRecipe& recipe, const FitSize& size);

}  // namespace genera::select_detail
