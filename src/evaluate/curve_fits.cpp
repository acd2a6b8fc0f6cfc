#include "evaluate/curve_fits.hpp"

#include <algorithm>

#include <genera/error.hpp>

#include "data/columns.hpp"
#include "kernel/index.hpp"
#include "kernel/infinity.hpp"
#include "score/bound_model.hpp"
#include "score/scorer.hpp"

namespace genera::curves_detail {
namespace {

using kernel::at;

/// True if some number, category or term differs between rows.
bool something_varies(const Rows& rows) {
  const DataView& data = rows.data();
  const auto differs = [&](const auto& value) {
    return rows.count() > 0 && [&] {
      const auto first = value(rows.row(0));
      for (Index i = 1; i < rows.count(); ++i) {
        if (!(value(rows.row(i)) == first)) return true;
      }
      return false;
    }();
  };
  for (const NumbersView& piece : data.numbers) {
    for (Index j = 0; j < piece.columns; ++j) {
      if (differs([&](Index row) { return piece(row, j); })) return true;
    }
  }
  for (const CodesView& codes : data.codes) {
    if (differs([&](Index row) { return codes(row); })) return true;
  }
  return std::ranges::any_of(data.sparse, [&](const SparseView& sparse) {
    return differs([&](Index row) { return sparse.begin(row + 1) > sparse.begin(row); });
  });
}

Prior prior_of(const Rows& sample, const AnyRecipe& recipe) {
  const CodesView& labels = sample.data().labels;
  std::vector<std::string> classes;
  Vector weights(labels.names.size()), counts;
  for (Index i = 0; i < sample.count(); ++i)
    weights[at(labels(sample.row(i)))] += sample.weight(sample.row(i));
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (weights[k] > 0) classes.push_back(labels.names[k]);
  }
  sort_labels(classes);
  for (const std::string& name : classes)
    counts.push_back(weights[at(std::ranges::find(labels.names, name) - labels.names.begin())]);
  const auto* density = std::get_if<Recipe>(&recipe);
  return resolve(density ? density->priors : PriorChoice{}, classes, counts);
}

Worth worth_of_prior(const Prior& prior, const Population& population,
                     std::span<const Index> which) {
  const Vector& p = prior.probabilities();
  const auto decided = std::ranges::max_element(p) - p.begin();
  Worth worth;
  for (const Index i : which) {
    const std::int32_t truth = population.truths[at(i)];
    worth.error += truth == decided ? 0 : 1;
    worth.conditional += prior.log()[at(truth)];
  }
  const auto n = static_cast<double>(which.size());
  return {worth.error / n, worth.conditional / n, worth.conditional / n};
}

}  // namespace

AnyRecipe for_small_samples(AnyRecipe recipe) {
  if (auto* density = std::get_if<Recipe>(&recipe))
    density->gaussian.on_singular = OnSingular::shrink;
  return recipe;
}

const LogisticOptions* softmax_of(const AnyRecipe& recipe) {
  const auto* linear = std::get_if<LinearRecipe>(&recipe);
  return linear ? std::get_if<LogisticOptions>(&linear->options) : nullptr;
}

double best_ridge(const Rows& sample, const LogisticOptions& softmax, const RidgeSearch& search,
                  const Control& control) {
  std::vector<Candidate> candidates;
  for (const double ridge : search.ridges) {
    LogisticOptions with = softmax;
    with.ridge = ridge;
    candidates.push_back({"logistic", logistic(with), {}});
  }
  const std::vector<std::size_t> ranking =
      cross_validate(sample, candidates, search.select, control).ranking();
  return ranking.empty() ? softmax.ridge : search.ridges[ranking.front()];
}

Learned learned(const Rows& sample, const AnyRecipe& recipe, const Statistics* sums,
                const Control& control) {
  Learned found{.prior = prior_of(sample, recipe)};
  if (sample.data().columns.empty() && sample.data().sparse.empty()) return found;
  try {
    Fitted<Classifier> fitted = sums ? estimate(*sums, recipe) : fit(sample, recipe, {}, control);
    found.model = std::move(fitted.model);
    found.report = std::move(fitted.report);
  } catch (const Error& error) {
    if (error.code() != Errc::bad_model || something_varies(sample)) throw;
  }
  return found;
}

Worth worth_of(const Learned& learned, const Rows& rows, const Population& population,
               std::span<const Index> which) {
  if (!learned.model) return worth_of_prior(learned.prior, population, which);
  const ClassifierRef model = *learned.model;
  std::vector<Index> list;
  for (const Index i : which) list.push_back(rows.row(i));
  const score::BoundModel bound(model, rows.only(list));
  const Index n = std::ssize(list);
  Matrix joint(n, bound.classes()), log_posterior(n, bound.classes());
  std::vector<std::int32_t> labels(at(n));
  (void)score::run_all(
      bound,
      {.log_joint = joint.data(), .log_posterior = log_posterior.data(), .labels = labels.data()},
      {});
  const std::vector<Index> in_model = find_labels(model.classes(), population.classes);
  Worth worth;
  for (Index i = 0; i < n; ++i) {
    const Index truth = in_model[at(population.truths[at(which[at(i)])])];
    worth.error += labels[at(i)] == truth ? 0 : 1;
    worth.joint += truth < 0 ? -kernel::infinity : joint(i, truth);
    worth.conditional += truth < 0 ? -kernel::infinity : log_posterior(i, truth);
  }
  const auto count = static_cast<double>(n);
  return {worth.error / count, worth.conditional / count, worth.joint / count};
}

Index free_parameters(const Learned& learned) {
  if (!learned.model) return std::ssize(learned.prior.probabilities()) - 1;
  const ClassifierRef model = *learned.model;
  return model.model() ? model.model()->free_parameters().total()
                       : model.linear()->free_parameters();
}

}  // namespace genera::curves_detail
