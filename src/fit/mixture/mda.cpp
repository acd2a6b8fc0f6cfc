#include "fit/mixture/mda.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/query.hpp>

#include "fit/gaussian.hpp"
#include "fit/mixture/search.hpp"
#include "kernel/index.hpp"
#include "kernel/progress.hpp"
#include "sums/summarise.hpp"

namespace genera::fit_detail {
namespace {

using kernel::at;

/// The usable rows of each class, classes in the order of `input`.
std::vector<std::vector<Index>> rows_by_class(const MixtureInput& from,
                                              const GaussianInput& input) {
  std::vector<std::size_t> places;
  for (const std::string& name : from.table.classes)
    places.push_back(static_cast<std::size_t>(
        std::find(input.classes.begin(), input.classes.end(), name) - input.classes.begin()));
  std::vector<std::vector<Index>> rows(input.classes.size());
  const auto usable = sums::usable_rows(from.table, from.missing);
  for (Index i = 0; i < from.table.rows(); ++i) {
    const std::int32_t label = from.table.labels[at(i)];
    const bool weightless = !from.table.weights.empty() && !(from.table.weights[at(i)] > 0);
    if (label < 0 || weightless || !usable(i)) continue;
    const std::size_t k = places[static_cast<std::size_t>(label)];
    if (k < rows.size()) rows[k].push_back(i);
  }
  return rows;
}

/// The references of the floor, one for each class: its own covariance where components have
/// their own full ones, else what the classes share.
std::vector<EmScale> scales_of(const GaussianInput& input, const GaussianOptions& options,
                               Report& report) {
  const Index d = input.dimension();
  std::vector<EmScale> scales(input.classes.size(), {Matrix(d, d), input.total_variance});
  std::vector<Matrix> covariances;
  try {
    if (is_full(options.family))
      covariances = estimate_gaussian(input, options, std::nullopt, report).covariances;
  } catch (const Error& singular) {
    throw Error(singular.code(), singular.what(),
                {"use {} or spherical, {}, or leave these columns out with {}",
                 {{"covariance", {"gnb"}}, {"on_singular", {"shrink"}}, {"drop"}}});
  }
  for (std::size_t k = 0; k < scales.size(); ++k) {
    for (Index j = 0; j < d; ++j) scales[k].reference(j, j) = input.pooled_variance[at(j)];
    if (!covariances.empty())
      scales[k].reference = covariances[options.family == Family::lda ? 0 : k];
  }
  return scales;
}

/// The number of components of a class, chosen by BIC.
FoundMixture best_of_class(MixtureSearch& search, const Recipe& recipe, Index rows,
                           kernel::ProgressMeter& meter) {
  const MixtureOptions::Range range = recipe.mixture->components;
  std::optional<FoundMixture> best;
  for (Index m = range.least; m <= std::min(range.most, rows); ++m) {
    FoundMixture found = search.find(m, recipe.gaussian);
    if (!best || better(found, *best)) best = std::move(found);
    meter.advance(1);
  }
  return *std::move(best);
}

void require_rows(const MixtureOptions::Range& range, const std::string& name, Index rows) {
  if (range.least > rows)
    throw Error(Errc::bad_data,
                fmt::format("class '{}' has {} row{}, too few for {} components", name, rows,
                            rows == 1 ? "" : "s", range.least),
                {"ask for fewer {}, or give more rows of the class", {{"components"}}});
}

/// The mixture of each class alone.
std::vector<FoundMixture> found_mixtures(const MixtureInput& from, const GaussianInput& input,
                                         const std::vector<std::vector<Index>>& rows,
                                         const std::vector<EmScale>& scales) {
  const MixtureOptions& options = *from.recipe.mixture;
  const MixtureOptions::Range range = options.components;
  Index candidates = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    require_rows(range, input.classes[k], std::ssize(rows[k]));
    candidates += std::min(range.most, std::ssize(rows[k])) - range.least + 1;
  }
  kernel::ProgressMeter meter(from.control, Progress::Task::searching, candidates);
  std::vector<FoundMixture> found;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    MixtureSearch search(numbers_of(from.table, rows[k], input), scales[k], options,
                         {from.control.threads, [&] { meter.pause(); }});
    found.push_back(best_of_class(search, from.recipe, std::ssize(rows[k]), meter));
  }
  return found;
}

void append(GaussianParameters& all, const GaussianParameters& more) {
  const auto stacked = [](const Matrix& a, const Matrix& b) {
    Matrix both(a.rows() + b.rows(), std::max(a.columns(), b.columns()));
    for (Index i = 0; i < both.rows(); ++i) {
      const auto row = i < a.rows() ? a.row(i) : b.row(i - a.rows());
      std::copy(row.begin(), row.end(), both.row(i).begin());
    }
    return both;
  };
  all.means = stacked(all.means, more.means);
  if (!more.variances.empty()) all.variances = stacked(all.variances, more.variances);
  all.covariances.insert(all.covariances.end(), more.covariances.begin(), more.covariances.end());
}

/// Heavier components first, shares within the class; emptied ones are gone.
void add_class(MixtureParameters& p, const EmResult& em, const Vector& weights, Index k) {
  const std::vector<std::size_t> order = heaviest_first(em, weights);
  double total = 0;
  for (const std::size_t c : order) total += weights[c];
  for (const std::size_t c : order) {
    p.owner.push_back(k);
    p.weights.push_back(weights[c] / total);
  }
  GaussianParameters components = selected(em.gaussian, order);
  if (k == 0 || is_shared(components.family)) {
    const Matrix means = p.components.means;
    GaussianParameters first = components;
    if (k > 0) {
      first.means = means;
      append(first, {.means = components.means});
    }
    p.components = std::move(first);
  } else {
    append(p.components, components);
  }
  p.components.counts.clear();
}

/// One EM over all classes, for covariances that their components share.
EmResult joint_em(const MixtureInput& from, const GaussianInput& input,
                  const std::vector<FoundMixture>& found, const EmScale& scale,
                  std::vector<Index>& owner) {
  const std::vector<std::vector<Index>> rows = rows_by_class(from, input);
  std::vector<Index> all;
  std::vector<std::int32_t> labels;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    all.insert(all.end(), rows[k].begin(), rows[k].end());
    labels.insert(labels.end(), rows[k].size(), static_cast<std::int32_t>(k));
    owner.insert(owner.end(), found[k].em.weights.size(), static_cast<Index>(k));
  }
  Matrix start(std::ssize(all), std::ssize(owner));
  Index row = 0, column = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Matrix part =
        posterior(component_model(found[k].em), numbers_of(from.table, rows[k], input),
                  kernel::silent(from.control));
    for (Index i = 0; i < part.rows(); ++i, ++row) {
      for (Index c = 0; c < part.columns(); ++c) start(row, column + c) = part(i, c);
    }
    column += part.columns();
  }
  kernel::ProgressMeter meter(from.control, Progress::Task::iterating);
  Table table = numbers_of(from.table, all, input);
  table.target = "class";
  table.classes = input.classes;
  table.labels = std::move(labels);
  return run_em(table, from.recipe.gaussian, {input.classes, owner}, start,
                {.threads = from.control.threads, .scale = scale, .after_iteration = [&] {
                   meter.advance(1);
                 }});
}

std::string chosen(const GaussianInput& input, const MixtureParameters& p) {
  std::string text;
  for (std::size_t k = 0; k < input.classes.size(); ++k)
    text += fmt::format("{}'{}' {}", k > 0 ? ", " : "", input.classes[k],
                        std::count(p.owner.begin(), p.owner.end(), static_cast<Index>(k)));
  return "components: " + text;
}

void note_state(const EmResult& em, const std::string& whose, Report& report) {
  add_outcome(em, report);
  if (!em.converged)
    report.notes.push_back(
        {fmt::format("{}: EM did not converge in {} iterations", whose, em.log_likelihood.size()),
         Note::Kind::warning});
  if (em.on_floor)
    report.notes.push_back({fmt::format("{}: a component had to be kept from collapsing", whose),
                            Note::Kind::warning});
}

}  // namespace

std::optional<Block> mixture_block(const MixtureInput& from, Report& report) {
  const Recipe& recipe = from.recipe;
  const GaussianInput input = gaussian_input(from.statistics, recipe.gaussian, report);
  if (input.columns.empty()) return std::nullopt;
  const std::vector<EmScale> scales = scales_of(input, recipe.gaussian, report);
  const std::vector<std::vector<Index>> rows = rows_by_class(from, input);
  const std::vector<FoundMixture> found = found_mixtures(from, input, rows, scales);
  MixtureParameters p;
  if (is_shared(recipe.gaussian.family)) {
    std::vector<Index> owner;
    const EmResult em = joint_em(from, input, found, scales.front(), owner);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      Vector weights = em.weights;
      for (std::size_t c = 0; c < weights.size(); ++c) {
        if (owner[c] != static_cast<Index>(k)) weights[c] = 0;
      }
      add_class(p, em, weights, static_cast<Index>(k));
    }
    note_state(em, "all classes", report);
  } else {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      add_class(p, found[k].em, found[k].em.weights, static_cast<Index>(k));
      note_state(found[k].em, fmt::format("class '{}'", input.classes[k]), report);
    }
  }
  p.counts = input.counts;
  report.notes.push_back({chosen(input, p)});
  return MixtureBlock(std::move(p));
}

}  // namespace genera::fit_detail
