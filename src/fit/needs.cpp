#include "fit/needs.hpp"

#include "blocks/kinds.hpp"

namespace genera::fit_detail {

Needs needs_of(const Recipe& recipe, Missing missing, bool sparse_matrix) {
  blocks::RowNeeds all;
  blocks::for_each_kind([&](auto kind) { all.add(kind.needs(recipe, sparse_matrix)); });
  return {.sums = {.scatter = all.scatter, .joint = all.joint, .missing = missing},
          .entries = all.entries.value_or(sums::Entries::sums),
          .fourth_moments = all.fourth_moments,
          .all_rows = all.all_rows,
          .every_cell = all.every_cell};
}

bool needs_em(const sums::Summary& summary, const Recipe& recipe, Missing missing) {
  if (missing != Missing::em) return false;
  bool latent = summary.unlabelled_rows > 0;
  blocks::for_each_kind(
      [&](auto kind) { latent = latent || kind.has_latent_cells(summary, recipe); });
  return latent;
}

}  // namespace genera::fit_detail
