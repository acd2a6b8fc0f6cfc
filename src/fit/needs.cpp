#include "fit/needs.hpp"

#include <fmt/format.h>

#include <genera/error.hpp>

#include "blocks/kinds.hpp"

namespace genera::fit_detail {

Needs needs_of(const Recipe& recipe, Missing missing, bool sparse_matrix) {
  blocks::RowNeeds all;
  blocks::for_each_kind([&](auto kind) { all.add(kind.needs(recipe, sparse_matrix)); });
  return {.sums = {.scatter = all.scatter,
                   .joint = all.joint,
                   .missing = missing,
                   .pairs = all.pairs,
                   .max_bins = all.max_bins},
          .entries = all.entries.value_or(sums::Entries::sums),
          .fourth_moments = all.fourth_moments,
          .all_rows = all.all_rows,
          .every_cell = all.every_cell};
}

bool needs_em(const sums::Summary& summary, const Recipe& recipe, const FitOptions& options) {
  if (options.missing != Missing::em) return false;
  bool latent = options.uses_unlabelled() && summary.unlabelled_rows > 0;
  blocks::for_each_kind(
      [&](auto kind) { latent = latent || kind.has_latent_cells(summary, recipe); });
  return latent;
}

void leave_out_unlabelled(sums::Pass& pass, const FitOptions& options) {
  if (options.missing != Missing::em) return;
  const sums::Summary& summary = pass.summary;
  if (summary.rows > 0 && summary.unlabelled_rows == summary.rows)
    throw Error(Errc::bad_data,
                fmt::format("every label in '{}' is missing", summary.statistics.target()),
                "label some rows of each class, or find groups by clustering");
  if (!options.uses_unlabelled()) sums::leave_out_unlabelled(pass);
}

}  // namespace genera::fit_detail
