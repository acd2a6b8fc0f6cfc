#pragma once

#include <genera/recipe.hpp>
#include <genera/rows.hpp>

/// What learning a model and asking it is expected to cost, for whoever tells how far it is.
namespace genera::select_detail {

struct FitSize {
  Index training = 0;   ///< rows that are learned from
  Index asked = 0;      ///< rows that the model is asked about
  bool by_sums = true;  ///< what the recipe needs of the training rows is known
};

/// In operations, roughly: it is to be compared with that of others. `rows` are those that the
/// training rows are taken from.
[[nodiscard]] double expected_cost(const Rows& rows, const AnyRecipe& recipe, const FitSize& size);

}  // namespace genera::select_detail
