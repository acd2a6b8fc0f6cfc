#include <genera/error.hpp>

#include "blocks/joint/kind.hpp"

namespace genera::blocks {

RowNeeds JointKind::needs(const Recipe& recipe, bool) { return {.joint = recipe.discrete.joint}; }

/// An incomplete combination may belong to several cells of the table.
bool JointKind::has_latent_cells(const sums::Summary& summary, const Recipe& recipe) {
  const auto sets = summary.statistics.schema().coded();
  if (!recipe.discrete.joint || sets.empty() || sets.front().size() < 2) return false;
  const std::vector<Column>& features = summary.statistics.schema().features;
  for (std::size_t j = 0; j < summary.missing_cells.size(); ++j) {
    if (summary.missing_cells[j] > 0 && features[j].type != ColumnType::text) return true;
  }
  return false;
}

void JointKind::refuse_unfit(const AvailableSums& kept, const Recipe& recipe) {
  if (!recipe.discrete.joint || kept.statistics.schema().joint || kept.statistics.levels().empty())
    return;
  throw Error(Errc::bad_argument,
              "the statistics count each column alone, and joint needs them together",
              {"make the statistics with {}", {{"model", {"joint"}}}});
}

}  // namespace genera::blocks
