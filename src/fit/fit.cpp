#include <genera/fit.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "fit/classes.hpp"
#include "fit/gaussian.hpp"
#include "fit/shrinkage.hpp"

namespace genera {
namespace {

using fit_detail::GaussianInput;

bool needs_fourth_moments(const Recipe& recipe) {
  return recipe.gaussian.shrinkage.kind == Shrinkage::Kind::lw;
}

void add(FourthMoments& sums, const FourthMoments& more) {
  sums.resize(more.size());
  for (std::size_t k = 0; k < more.size(); ++k) sums[k] += more[k];
}

FourthMoments fourth_moments(RowStream& rows, const fit_detail::FourthMomentPass& pass,
                             int threads) {
  FourthMoments sums;
  rows.rewind();
  rows.for_each_block(threads, [&](Table&& block) -> std::function<void()> {
    return [&sums, part = pass.of(block)] { add(sums, part); };
  });
  return sums;
}

Model noted(const Model& model, std::vector<std::string> notes) {
  notes.insert(notes.end(), model.notes().begin(), model.notes().end());
  return model.with_notes(std::move(notes));
}

}  // namespace

Model estimate(const Statistics& statistics, const Recipe& recipe,
               const std::optional<FourthMoments>& fourth) {
  validate(recipe.gaussian);
  if (needs_fourth_moments(recipe) && !fourth)
    throw Error(Errc::bad_argument,
                "Ledoit-Wolf shrinkage needs the rows again, not only their statistics",
                "fit from the table, or use --shrinkage oas");
  if (scatter_needed(recipe) == Scatter::full && statistics.scatter() == Scatter::diagonal)
    throw Error(
        Errc::bad_argument,
        fmt::format("{} needs full scatter matrices, but the statistics keep variances only",
                    name_of(recipe.gaussian.family)),
        "use --model gnb, dlda, spherical or centroid, or make full statistics");
  if (fourth && fourth->size() != statistics.classes().size())
    throw Error(Errc::bad_argument,
                fmt::format("{} fourth moments for {} classes", fourth->size(),
                            statistics.classes().size()),
                "give one per class");
  fit_detail::refuse_odd_classes(statistics);
  GaussianInput input = fit_detail::gaussian_input(statistics, recipe.gaussian);
  GaussianBlock block(fit_detail::estimate_gaussian(input, recipe.gaussian, fourth));
  Prior prior = resolve(recipe.priors, input.classes, input.counts);
  return {input.classes, std::move(prior), {std::move(block)}, statistics.target(), input.notes};
}

Model fit(const Table& table, const Recipe& recipe, const FitOptions& options) {
  validate(recipe.gaussian);
  const Collected seen = collect(table, {scatter_needed(recipe), options.missing, options.threads});
  std::optional<FourthMoments> fourth;
  if (needs_fourth_moments(recipe))
    fourth = fit_detail::FourthMomentPass(seen.statistics, recipe.gaussian).of(table);
  return noted(estimate(seen.statistics, recipe, fourth), seen.notes);
}

Model fit(RowStream& rows, const Recipe& recipe, const FitOptions& options) {
  validate(recipe.gaussian);
  const Collected seen = collect(rows, {scatter_needed(recipe), options.missing, options.threads});
  std::optional<FourthMoments> fourth;
  if (needs_fourth_moments(recipe))
    fourth = fourth_moments(rows, {seen.statistics, recipe.gaussian}, options.threads);
  return noted(estimate(seen.statistics, recipe, fourth), seen.notes);
}

}  // namespace genera
