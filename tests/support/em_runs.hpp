#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include <genera/fit.hpp>

#include "blocks/gaussian/estimate/estimate.hpp"
#include "fit/mixture/class_gaussians.hpp"
#include "sums/row_moments.hpp"

/// EM over the rows of a table from given responsibilities, for tests of the EM itself.
namespace genera::testing {

/// Component c is a kind of row of class owner[c].
struct Components {
  std::vector<std::string> classes;
  std::vector<Index> component_class;
};

struct EmResult {
  GaussianParameters gaussian;
  Vector weights;         ///< share of each component among all rows; 0: it was emptied
  Vector log_likelihood;  ///< after each step, of the numbers given the class
  bool converged = false;
  bool on_floor = false;
};

inline Vector responsibilities(const Matrix& start, Index c, const Table& table) {
  Vector weights;
  for (Index i = 0; i < start.rows(); ++i)
    weights.push_back(start(i, c) *
                      (table.weights.empty() ? 1 : table.weights[static_cast<std::size_t>(i)]));
  return weights;
}

inline EmResult run_em(Table table, const GaussianOptions& options, const Components& components,
                       const Matrix& start, const fit_detail::EmOptions& em_options,
                       int threads = 1) {
  if (components.classes.size() == 1) {
    table.target = "class";
    table.classes = components.classes;
    table.labels.assign(static_cast<std::size_t>(table.rows()), 0);
  }
  Recipe recipe;
  recipe.gaussian = options;
  recipe.gaussian.on_singular = OnSingular::shrink;
  const bool missing = std::ranges::any_of(
      std::span(table.numbers.data(),
                static_cast<std::size_t>(table.numbers.rows() * table.numbers.columns())),
      [](double x) { return std::isnan(x); });
  fit_detail::ClassGaussians one =
      missing ? fit_detail::class_gaussians(table, recipe, {}, {})
              : fit_detail::class_gaussians(collect(table).statistics, recipe);
  const Matrix completed = fit_detail::completed_numbers(one, 0, table);
  const blocks::GaussianInput input = one.input();
  Report report;
  recipe.gaussian.covariance =
      is_full(options.covariance) ? Covariance::tied : Covariance::tied_diag;
  const blocks::ComponentScale scale = blocks::component_scale(
      input, blocks::estimate_gaussian(input, recipe.gaussian, {}, report), 0);
  auto mixtures = std::make_unique<blocks::MixturePlan>(
      one.gaussian().frame(), options, components.component_class,
      std::vector<blocks::ComponentScale>(components.classes.size(), scale));
  one.sums.blocks.front() = mixtures->no_sums();
  auto& sums = blocks::sums_as<blocks::ComponentSums>(*one.sums.blocks.front());
  for (Index c = 0; c < start.columns(); ++c) {
    const Vector weights = responsibilities(start, c, table);
    std::vector<Index> own;
    Vector own_weights;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (!(weights[i] > 0)) continue;
      own.push_back(static_cast<Index>(i));
      own_weights.push_back(weights[i]);
    }
    sums::RowMoments moments(data::NumberColumns(completed), {}, sums.kind());
    if (!own.empty()) sums.moments[static_cast<std::size_t>(c)] = moments.of(own, own_weights);
  }
  one.plan->blocks.front() = std::move(mixtures);
  Model model = fit_detail::estimate_model(*one.plan, one.sums, {}, {}, report);
  const fit_detail::LatentRows latent(Rows(table), *one.plan, model, 1, threads);
  fit_detail::EmIteration em(*one.plan, std::move(model), latent.complete(), em_options, nullptr,
                             threads);
  EmResult result;
  const Vector& counts = one.sums.class_weights;
  fit_detail::run(em, latent, threads, [&] {
    double of_labels = 0;
    for (std::size_t k = 0; k < counts.size(); ++k)
      of_labels += counts[k] * em.model().prior().log()[k];
    result.log_likelihood.push_back(em.step().log_likelihood - of_labels);
  });
  const MixtureParameters& p = blocks::mixtures_of(em.model().blocks().front());
  result.gaussian = p.components;
  for (std::size_t c = 0; c < p.weights.size(); ++c) {
    const bool emptied = p.weights[c] <= blocks::emptied_weight;
    const auto k = static_cast<std::size_t>(p.component_class[c]);
    result.weights.push_back(emptied ? 0 : p.weights[c] * em.model().prior().probabilities()[k]);
  }
  result.converged = em.outcome() != Outcome::iteration_limit;
  result.on_floor = em.outcome() == Outcome::degenerate;
  return result;
}

}  // namespace genera::testing
