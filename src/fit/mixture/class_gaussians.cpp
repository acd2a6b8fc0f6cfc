#include "fit/mixture/class_gaussians.hpp"

#include "blocks/gaussian/missing/completion.hpp"
#include "data/columns.hpp"

namespace genera::fit_detail {
namespace {

/// Requests any covariance that can be estimated; mixtures that cannot have it are refused later.
Recipe without_mixture(Recipe recipe) {
  recipe.mixture.reset();
  recipe.kernel.reset();
  recipe.gaussian.on_singular = OnSingular::shrink;
  return recipe;
}

}  // namespace

ClassGaussians class_gaussians(const Statistics& statistics, const Recipe& recipe) {
  ClassGaussians one;
  Recipe plain = recipe;
  plain.mixture.reset();
  plain.kernel.reset();
  one.plan = std::make_unique<Plan>(plan_of(statistics, plain, one.report));
  one.sums = PlanSums(*one.plan, statistics);
  one.place = blocks::gaussian_place(one.plan->blocks);
  return one;
}

ClassGaussians class_gaussians(const Rows& rows, const Recipe& recipe, const FitOptions& options,
                               const Control& control) {
  EmFit fit = fit_by_em(rows, without_mixture(recipe), options, control);
  ClassGaussians one{std::move(fit.plan), std::move(fit.sums), {}, std::move(fit.report)};
  one.place = blocks::gaussian_place(one.plan->blocks);
  if (!one.place) return one;
  one.model = blocks::parameters_of(fit.model.blocks()[*one.place]);
  one.priors = fit.priors[*one.place];
  return one;
}

blocks::GaussianFrame frame_of_class(const blocks::GaussianFrame& frame, std::size_t k,
                                     Index rows) {
  blocks::GaussianFrame own = frame;
  own.classes = {frame.classes[k]};
  own.rows = {rows};
  return own;
}

std::vector<std::vector<Index>> rows_by_class(const Rows& rows, const Plan& plan) {
  const std::vector<Index> places = find_labels(plan.classes, rows.data().labels.names);
  std::vector<std::vector<Index>> found(plan.classes.size());
  for (Index i = 0; i < rows.count(); ++i) {
    const Index row = rows.row(i);
    const std::int32_t label = rows.data().labels(row);
    if (label < 0 || !(rows.weight(row) > 0)) continue;
    const Index k = places[static_cast<std::size_t>(label)];
    if (k >= 0) found[static_cast<std::size_t>(k)].push_back(row);
  }
  return found;
}

Matrix completed_numbers(const ClassGaussians& one, std::size_t k, const Rows& rows) {
  const DataView& data = rows.data();
  const data::NumberColumns columns(data,
                                    data::number_places(data, one.gaussian().frame().columns));
  std::vector<Index> list;
  for (Index i = 0; i < rows.count(); ++i) list.push_back(rows.row(i));
  if (one.model) return blocks::completed_rows(*one.model, static_cast<Index>(k), columns, list);
  Matrix numbers(rows.count(), columns.count());
  columns.gather_rows(list, columns.count(), numbers.data());
  return numbers;
}

}  // namespace genera::fit_detail
