#include "blocks/counts/kind.hpp"

namespace genera::blocks {

RowNeeds CountsKind::needs(const Recipe& recipe, bool sparse_matrix) {
  const DiscreteOptions& discrete = recipe.discrete;
  if (discrete.counts != CountModel::bernoulli) return {.entries = sums::Entries::sums};
  const bool chosen_by_sums = !sparse_matrix && (discrete.min_count > 0 || discrete.max_terms > 0);
  return {.entries = chosen_by_sums ? sums::Entries::all : sums::Entries::presence};
}

}  // namespace genera::blocks
