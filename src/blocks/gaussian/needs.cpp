#include <fmt/format.h>

#include <genera/error.hpp>

#include "blocks/gaussian/kind.hpp"

namespace genera::blocks {
namespace {

/// Whether the columns of a sparse matrix are measurements.
bool is_measured(const Statistics& statistics, const Recipe& recipe) {
  return statistics.schema().sparse_matrix && !recipe.discrete.sparse_counts;
}

void refuse_sums_only(const Statistics& statistics, const Recipe& recipe) {
  if (!is_measured(statistics, recipe) || statistics.scatter() != Scatter::none) return;
  throw Error(
      Errc::bad_argument,
      fmt::format("{} needs variances of the columns, but the statistics contain only sums",
                  name_of(recipe.gaussian)),
      {"make the statistics without {}, bernoulli or complement", {{"model", {"multinomial"}}}});
}

void refuse_variances_only(const Statistics& statistics, const Recipe& recipe) {
  const bool numbers = !statistics.columns().empty() || is_measured(statistics, recipe);
  const bool sparse = statistics.schema().sparse_matrix.has_value();
  const bool diagonal = statistics.scatter() == Scatter::diagonal || sparse;
  if (!numbers || !diagonal || scatter_needed(recipe) != Scatter::full) return;
  throw Error(
      Errc::bad_argument,
      fmt::format("{} needs full scatter matrices, but the statistics contain only variances",
                  name_of(recipe.gaussian)),
      {sparse ? "use {}, dlda, spherical or centroid, or fit the rows themselves"
              : "use {}, dlda, spherical or centroid, or make full statistics",
       {{"model", {"gnb"}}}});
}

}  // namespace

RowNeeds GaussianKind::needs(const Recipe& recipe, bool sparse_matrix) {
  const bool counted = sparse_matrix && recipe.discrete.sparse_counts;
  const Scatter scatter = scatter_needed(recipe);
  return {.scatter = counted ? Scatter::none : scatter,
          .fourth_moments = recipe.gaussian.shrinkage.kind == Shrinkage::Kind::lw,
          .every_cell = sparse_matrix && !counted && scatter == Scatter::full};
}

bool GaussianKind::has_latent_cells(const sums::Summary& summary, const Recipe& recipe) {
  return summary.incomplete_rows > 0 && !recipe.discrete.pairs;
}

void GaussianKind::refuse_missing(const Recipe& recipe) {
  if (recipe.gaussian.shrinkage.kind == Shrinkage::Kind::lw)
    throw Error(Errc::bad_argument,
                "Ledoit-Wolf shrinkage needs complete rows, but values are missing",
                {"use {}, or {}", {{"shrinkage", {"oas"}}, {"missing", {"drop"}}}});
}

void GaussianKind::refuse_unfit(const AvailableSums& kept, const Recipe& recipe) {
  if (recipe.gaussian.shrinkage.kind == Shrinkage::Kind::lw && !kept.fourth)
    throw Error(Errc::bad_argument,
                "Ledoit-Wolf shrinkage needs the rows again, not only their statistics",
                {"fit from the table, or use {}", {{"shrinkage", {"oas"}}}});
  refuse_sums_only(kept.statistics, recipe);
  refuse_variances_only(kept.statistics, recipe);
  const std::size_t classes = kept.statistics.classes().size();
  if (kept.fourth && kept.fourth->size() != classes)
    throw Error(Errc::bad_argument,
                counted(std::ssize(*kept.fourth), "fourth moment") + " for " +
                    counted(static_cast<Index>(classes), "class", "classes"),
                "give one per class");
}

}  // namespace genera::blocks
