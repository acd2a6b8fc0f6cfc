#include "fit/refuse.hpp"

#include <fmt/format.h>

#include <genera/error.hpp>

#include "fit/mixture/search.hpp"

namespace genera::fit_detail {
namespace {

/// Whether the columns of a sparse matrix are measurements.
bool is_measured(const Statistics& statistics, const Recipe& recipe) {
  return statistics.schema().sparse_matrix && !recipe.discrete.sparse_counts;
}

}  // namespace

void validate(const Recipe& recipe) {
  genera::validate(recipe.gaussian);
  genera::validate(recipe.discrete);
  if (!recipe.mixture) return;
  genera::validate(*recipe.mixture);
  refuse_for_mixtures(recipe.gaussian);
}

void refuse_unfit(const Statistics& statistics, const Recipe& recipe,
                  const std::optional<FourthMoments>& fourth) {
  if (recipe.gaussian.shrinkage.kind == Shrinkage::Kind::lw && !fourth)
    throw Error(Errc::bad_argument,
                "Ledoit-Wolf shrinkage needs the rows again, not only their statistics",
                {"fit from the table, or use {}", {{"shrinkage", {"oas"}}}});
  if (is_measured(statistics, recipe) && statistics.scatter() == Scatter::none)
    throw Error(
        Errc::bad_argument,
        fmt::format("{} needs the spread of the columns, but the statistics keep sums only",
                    name_of(recipe.gaussian.family)),
        {"make the statistics without {}, bernoulli or complement", {{"model", {"multinomial"}}}});
  const bool numbers = !statistics.columns().empty() || is_measured(statistics, recipe);
  const bool diagonal =
      statistics.scatter() == Scatter::diagonal || statistics.schema().sparse_matrix;
  if (numbers && scatter_needed(recipe) == Scatter::full && diagonal)
    throw Error(
        Errc::bad_argument,
        fmt::format("{} needs full scatter matrices, but the statistics keep variances only",
                    name_of(recipe.gaussian.family)),
        {statistics.schema().sparse_matrix
             ? "use {}, dlda, spherical or centroid, or fit the rows themselves"
             : "use {}, dlda, spherical or centroid, or make full statistics",
         {{"model", {"gnb"}}}});
  if (fourth && fourth->size() != statistics.classes().size())
    throw Error(Errc::bad_argument,
                fmt::format("{} fourth moments for {} classes", fourth->size(),
                            statistics.classes().size()),
                "give one per class");
  if (recipe.discrete.joint != statistics.schema().joint && !statistics.levels().empty())
    throw Error(
        Errc::bad_argument,
        recipe.discrete.joint
            ? "the statistics count each column alone, and joint needs them together"
            : "the statistics count the columns jointly, which only the joint model can use",
        {recipe.discrete.joint ? "make the statistics with {}" : "fit them with {}, or make others",
         {{"model", {"joint"}}}});
}

}  // namespace genera::fit_detail
