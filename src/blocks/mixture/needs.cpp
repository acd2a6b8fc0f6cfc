#include <genera/error.hpp>

#include "blocks/mixture/kind.hpp"

namespace genera::blocks {

RowNeeds MixtureKind::needs(const Recipe& recipe, bool sparse_matrix) {
  if (!recipe.mixture && !recipe.kernel) return {};
  return {.scatter = sparse_matrix ? Scatter::none : Scatter::full,
          .all_rows = true,
          .every_cell = sparse_matrix && !recipe.discrete.sparse_counts};
}

void MixtureKind::refuse_without_rows(const Recipe& recipe) {
  if (recipe.kernel)
    throw Error(Errc::bad_argument, "kernel needs the rows, not only their statistics",
                {"fit from the table, or use {}", {{"model", {"bqda"}}}});
  if (recipe.mixture)
    throw Error(Errc::bad_argument, "mda needs the rows again, not only their statistics",
                {"fit from the table, or use {}", {{"model", {"qda"}}}});
}

}  // namespace genera::blocks
