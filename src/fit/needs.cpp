#include "fit/needs.hpp"

namespace genera::fit_detail {
namespace {

sums::Entries entries_needed(const DiscreteOptions& discrete, bool sparse_matrix) {
  if (discrete.counts != CountModel::bernoulli) return sums::Entries::sums;
  const bool chosen_by_sums = !sparse_matrix && (discrete.min_count > 0 || discrete.max_terms > 0);
  return chosen_by_sums ? sums::Entries::all : sums::Entries::presence;
}

}  // namespace

Needs needs_of(const Recipe& recipe, Missing missing, bool sparse_matrix) {
  const bool counted = sparse_matrix && recipe.discrete.sparse_counts;
  const bool measured = sparse_matrix && !recipe.discrete.sparse_counts;
  const bool full = recipe.mixture || scatter_needed(recipe) == Scatter::full;
  Scatter scatter = recipe.mixture && !sparse_matrix ? Scatter::full : scatter_needed(recipe);
  if (counted) scatter = Scatter::none;
  return {.sums = {.scatter = scatter, .joint = recipe.discrete.joint, .missing = missing},
          .entries = entries_needed(recipe.discrete, sparse_matrix),
          .fourth_moments = recipe.gaussian.shrinkage.kind == Shrinkage::Kind::lw,
          .all_rows = recipe.mixture.has_value(),
          .every_cell = measured && full};
}

bool needs_em(const sums::Summary& summary, const Recipe& recipe, Missing missing) {
  if (missing != Missing::em) return false;
  if (summary.incomplete_rows + summary.unlabelled_rows > 0) return true;
  const auto sets = summary.statistics.schema().coded();
  if (!recipe.discrete.joint || sets.empty() || sets.front().size() < 2) return false;
  const std::vector<Column>& features = summary.statistics.schema().features;
  for (std::size_t j = 0; j < summary.missing_cells.size(); ++j) {
    if (summary.missing_cells[j] > 0 && features[j].type != ColumnType::text) return true;
  }
  return false;
}

}  // namespace genera::fit_detail
