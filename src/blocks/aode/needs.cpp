#include <algorithm>

#include <genera/error.hpp>

#include "blocks/aode/kind.hpp"

namespace genera::blocks {

RowNeeds AodeKind::needs(const Recipe& recipe, bool sparse_matrix) {
  if (!recipe.discrete.pairs) return {.scatter = Scatter::none};
  return {.scatter = Scatter::none,
          .pairs = true,
          .max_bins = recipe.discrete.max_bins,
          .every_cell = sparse_matrix && !recipe.discrete.sparse_counts};
}

/// Averaged estimators do not maximise their likelihood, so that EM could lower it.
void AodeKind::refuse_missing(const Recipe& recipe) {
  if (!recipe.discrete.pairs) return;
  throw Error(Errc::bad_argument,
              "aode cannot learn from rows without a label, because it does not maximise a "
              "likelihood",
              {"use {} or {} to leave them out, or {}, which learns from them",
               {{"missing", {"drop"}}, {"unlabelled_weight", {"0"}}, {"model", {"gnb"}}}});
}

void AodeKind::refuse_unfit(const AvailableSums& kept, const Recipe& recipe) {
  const StatisticsSchema& schema = kept.statistics.schema();
  if (recipe.discrete.pairs && !schema.pairs)
    throw Error(Errc::bad_argument, "the statistics count no pairs of columns, which aode needs",
                {"make the statistics with {}", {{"model", {"aode"}}}});
  const bool cut = std::ranges::any_of(schema.features,
                                       [](const Column& column) { return column.cut.has_value(); });
  if (!recipe.discrete.pairs && cut)
    throw Error(Errc::bad_argument,
                "the statistics contain bins of numbers, which only aode can use",
                {"fit them with {}, or make others", {{"model", {"aode"}}}});
}

}  // namespace genera::blocks
