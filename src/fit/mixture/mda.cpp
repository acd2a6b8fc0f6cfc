#include "fit/mixture/mda.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "blocks/gaussian/estimate/remedies.hpp"
#include "blocks/gaussian/estimate/estimate.hpp"
#include "fit/refuse.hpp"
#include "fit/report.hpp"
#include "fit/mixture/class_gaussians.hpp"
#include "fit/mixture/components.hpp"
#include "fit/mixture/ordered_rows.hpp"
#include "fit/mixture/search.hpp"
#include "kernel/index.hpp"
#include "kernel/shared_progress.hpp"
#include "kernel/text.hpp"
#include "sums/weightless.hpp"

namespace genera::fit_detail {
namespace {

using blocks::ComponentScale;
using blocks::GaussianInput;
using kernel::at;

/// The labelled rows by class, in the order of the plan.
std::vector<std::vector<Index>> rows_by_class(const Rows& rows, const Plan& plan) {
  const std::vector<Index> places = find_labels(plan.classes, rows.data().labels.names);
  std::vector<std::vector<Index>> found(plan.classes.size());
  for (Index i = 0; i < rows.count(); ++i) {
    const Index row = rows.row(i);
    const std::int32_t label = rows.data().labels(row);
    if (label < 0 || !(rows.weight(row) > 0)) continue;
    const Index k = places[static_cast<std::size_t>(label)];
    if (k >= 0) found[at(k)].push_back(row);
  }
  return found;
}

/// One Gaussian per class, with the requested structure. For diagonal structures, the components
/// report variances on the floor.
GaussianParameters plain_gaussians(const ClassGaussians& gaussians, const GaussianInput& input,
                                   const GaussianOptions& options, Report& report) {
  Report of_diagonal;
  for (std::size_t c = 0; c < gaussians.priors.size(); ++c) {
    if (gaussians.priors[c].singular.empty() || options.on_singular == OnSingular::shrink) continue;
    const bool shared = is_tied(options.covariance);
    throw Error(Errc::bad_model,
                fmt::format("{}: the covariance of the complete rows is singular; {}",
                            shared ? "all classes together"
                                   : fmt::format("class '{}'", gaussians.plan->classes[c]),
                            gaussians.priors[c].singular),
                blocks::remedies_for_mixture(input, options));
  }
  try {
    return estimate_gaussian(input, options,
                             {.priors = {gaussians.priors, gaussians.gaussian().frame().variances}},
                             is_full(options.covariance) ? report : of_diagonal);
  } catch (const Error& singular) {
    if (!is_full(options.covariance)) throw;
    throw Error(singular.code(), singular.what(), blocks::remedies_for_mixture(input, options));
  }
}

std::vector<ComponentScale> scales_of(const ClassGaussians& gaussians,
                                      const GaussianOptions& options, Report& report) {
  const GaussianInput input = gaussians.input();
  const GaussianParameters plain = plain_gaussians(gaussians, input, options, report);
  std::vector<ComponentScale> scales;
  for (std::size_t k = 0; k < input.classes.size(); ++k) {
    ComponentScale& scale = scales.emplace_back(component_scale(input, plain, k));
    const bool shared = is_tied(options.covariance);
    const std::size_t c = shared ? 0 : k;
    if (c >= gaussians.priors.size() || gaussians.priors[c].rows == 0) continue;
    scale.prior_rows =
        gaussians.priors[c].rows * (shared ? input.counts[k] / input.total_count() : 1);
    scale.variances = gaussians.gaussian().frame().variances;
  }
  return scales;
}

/// The largest number of components to try. BIC is meaningless for a few rows: each component gets
/// at least five, and twice as many as its structure needs to be regular.
Index max_tried(const Recipe& recipe, Index d, Index rows) {
  constexpr Index min_rows = 5;
  const bool own = recipe.gaussian.covariance == Covariance::full;
  const Index each = own ? std::max(min_rows, 2 * (d + 1)) : min_rows;
  const MixtureOptions::Range range = recipe.mixture->components;
  return std::min({range.max, rows, std::max(range.min, rows / each)});
}

std::vector<MixtureCandidate> tried_for(const Recipe& recipe, Index d, Index rows) {
  std::vector<MixtureCandidate> tried;
  for (Index m = recipe.mixture->components.min; m <= max_tried(recipe, d, rows); ++m)
    tried.push_back({m, recipe.gaussian});
  return tried;
}

/// The number of components of a class, chosen by BIC.
FoundMixture best_of_class(MixtureSearch& search, std::span<const MixtureCandidate> tried,
                           kernel::SharedMeter& meter) {
  // If all candidates rely on the variance floor, likelihoods cannot be compared, and one component
  // is used.
  const auto found =
      search.find_all(tried, [&](Index more, double cost) { meter.advance(more, cost); });
  FoundMixture best = *std::ranges::min_element(found, better);
  if (!best.on_floor() || best.components == 1) return best;
  const std::vector<MixtureCandidate> one{{1, tried.front().options}};
  return search.find_all(one, [&](Index, double) { meter.pause(); }).front();
}

void require_rows(const MixtureOptions::Range& range, const std::string& name, Index rows) {
  if (range.min > rows)
    throw Error(Errc::bad_data,
                fmt::format("class '{}' has {}, too few for {} components", name,
                            counted(rows, "row"), range.min),
                {"ask for fewer {}, or give more rows of the class", {{"components"}}});
}

/// The mixture of each class, fitted separately.
std::vector<FoundMixture> found_mixtures(const Rows& all, const ClassGaussians& gaussians,
                                         const std::vector<std::vector<Index>>& rows,
                                         const std::vector<ComponentScale>& scales,
                                         const Recipe& recipe, const Control& control) {
  const MixtureOptions& options = *recipe.mixture;
  const int starts = options.starts.value_or(usual_starts);
  const Index d = gaussians.gaussian().frame().dimension();
  kernel::SharedMeter::Whole whole;
  std::vector<std::vector<MixtureCandidate>> tried;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    require_rows(options.components, gaussians.plan->classes[k], std::ssize(rows[k]));
    tried.push_back(tried_for(recipe, d, std::ssize(rows[k])));
    whole.parts += std::ssize(tried[k]);
    whole.cost += SearchCost({std::ssize(rows[k]), d, starts}).all(tried[k]);
  }
  kernel::SharedMeter meter(control, Progress::Task::searching, whole);
  std::vector<FoundMixture> found;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const OrderedRows ordered(gaussians, k, all.only(rows[k]));
    const Rows& own = ordered.rows();
    MixtureSearch search({own, frame_of_class(gaussians.gaussian().frame(), k, own.count()),
                          scales[k], scales[k], completed_numbers(gaussians, k, own),
                          is_full(recipe.gaussian.covariance) ? scales[k].reference : Matrix()},
                         options, starts, control.threads);
    found.push_back(best_of_class(search, tried[k], meter));
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
  if (!all.means_low.empty() || !more.means_low.empty()) {
    const auto low = [](const GaussianParameters& p) {
      return p.means_low.empty() ? Matrix(p.means.rows(), p.means.columns()) : p.means_low;
    };
    all.means_low = stacked(low(all), low(more));
  }
  all.means = stacked(all.means, more.means);
  if (!more.variances.empty()) all.variances = stacked(all.variances, more.variances);
  all.covariances.insert(all.covariances.end(), more.covariances.begin(), more.covariances.end());
}

/// Sorts components by decreasing weight and drops emptied ones. The shared covariance is that of
/// the first class until all classes are learned together.
void add_class(MixtureParameters& all, const MixtureParameters& gaussians, Index k) {
  const std::vector<std::size_t> order = heaviest_first(gaussians);
  double total = 0;
  for (const std::size_t c : order) total += gaussians.weights[c];
  for (const std::size_t c : order) {
    all.component_class.push_back(k);
    all.weights.push_back(gaussians.weights[c] / total);
  }
  GaussianParameters components = selected(gaussians.components, order);
  if (k == 0)
    all.components = std::move(components);
  else if (is_tied(components.structure))
    append(all.components, {.means = components.means, .means_low = components.means_low});
  else
    append(all.components, components);
  all.components.counts.clear();
}

/// The mixture of class k.
MixtureParameters part_of(const MixtureParameters& all, Index k) {
  std::vector<std::size_t> own;
  MixtureParameters part;
  for (std::size_t c = 0; c < all.component_class.size(); ++c) {
    if (all.component_class[c] != k) continue;
    own.push_back(c);
    part.component_class.push_back(0);
    part.weights.push_back(all.weights[c]);
  }
  part.components = selected(all.components, own);
  return part;
}

/// One warning for several classes.
void warn_of(const std::vector<std::string>& classes, const std::string& what, Report& report) {
  if (classes.empty()) return;
  report.notes.push_back({fmt::format("{} {}: {}", classes.size() == 1 ? "class" : "classes",
                                      kernel::quoted_list(classes), what),
                          Note::Kind::warning});
}

void add_outcomes(const std::vector<FoundMixture>& all, const std::vector<std::string>& classes,
                  Report& report) {
  EmCourse& course = report.em.emplace();
  std::vector<std::string> unfinished, on_floor;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const FoundMixture& found = all[k];
    report.outcome = std::max(report.outcome, found.outcome);
    course.iterations = std::max(course.iterations, found.iterations);
    course.log_likelihood_first += found.log_likelihood_first;
    course.log_likelihood += found.log_likelihood;
    if (found.outcome == Outcome::iteration_limit) unfinished.push_back(classes[k]);
    if (found.on_floor()) on_floor.push_back(classes[k]);
  }
  warn_of(unfinished, fmt::format("EM did not converge in {} iterations", course.iterations),
          report);
  warn_of(on_floor, "a component is on the variance floor", report);
}

/// Notes classes with fewer components than requested.
void note_fewer(const std::vector<FoundMixture>& found, const std::vector<std::string>& classes,
                Index min, Report& report) {
  std::vector<std::string> fewer;
  for (std::size_t k = 0; k < found.size(); ++k)
    if (found[k].components < min) fewer.push_back(classes[k]);
  if (fewer.empty()) return;
  report.notes.push_back(
      {{fmt::format("{} {} one component: of {}, one was on the variance floor; use fewer "
                    "{{}}, a simpler {{}} or a lower {{}}",
                    kernel::quoted_list(fewer), fewer.size() == 1 ? "has" : "have", min),
        {{"components"}, {"covariance"}, {"variance_floor"}}},
       Note::Kind::warning});
}

std::string chosen(const std::vector<std::string>& classes, const MixtureParameters& p) {
  std::string text;
  for (std::size_t k = 0; k < classes.size(); ++k)
    text += fmt::format(
        "{}'{}' {}", k > 0 ? ", " : "", classes[k],
        std::count(p.component_class.begin(), p.component_class.end(), static_cast<Index>(k)));
  return "components: " + text;
}

Block tidy(const Block& block) {
  const MixtureParameters& all = blocks::mixtures_of(block);
  MixtureParameters rest;
  for (Index k = 0; k <= all.component_class.back(); ++k) add_class(rest, part_of(all, k), k);
  rest.counts = all.counts;
  return blocks::block_of(std::move(rest));
}

/// Replaces the Gaussian of the plan by mixtures; keeps the sums of the other blocks.
void put_mixtures(ClassGaussians& gaussians, const GaussianOptions& options,
                  const std::vector<Index>& component_class,
                  const std::vector<ComponentScale>& scales) {
  auto mixtures = std::make_unique<blocks::MixturePlan>(gaussians.gaussian().frame(), options,
                                                        component_class, scales);
  gaussians.sums.blocks[*gaussians.place] = mixtures->no_sums();
  gaussians.plan->blocks[*gaussians.place] = std::move(mixtures);
}

/// The model of mixtures that were found class by class, and the other blocks.
Model model_of(const ClassGaussians& gaussians, MixtureParameters mixtures, int threads,
               Report& report) {
  blocks::Estimating how;
  how.class_weights = gaussians.sums.class_weights;
  how.threads = threads;
  mixtures.counts = how.class_weights;
  std::vector<Block> parts;
  for (std::size_t b = 0; b < gaussians.plan->blocks.size(); ++b)
    parts.push_back(b == *gaussians.place ? blocks::block_of(std::move(mixtures))
                                          : gaussians.plan->blocks[b]->estimate(
                                                *gaussians.sums.blocks[b], how, report));
  return {gaussians.plan->classes,
          resolve(gaussians.plan->priors, gaussians.plan->classes, gaussians.sums.class_weights),
          std::move(parts), gaussians.plan->target};
}

/// One EM over all classes and blocks, because they share a covariance or other values than numbers
/// are missing.
Model learned_together(const Rows& rows, const ClassGaussians& gaussians, Model start,
                       const FitOptions& options, const Control& control, Report& report) {
  const LatentRows latent(rows, *gaussians.plan, start, options.unlabelled_weight.value_or(0),
                          control.threads);
  EmIteration em(*gaussians.plan, std::move(start), latent.complete(), {}, nullptr,
                 control.threads);
  kernel::ProgressMeter meter(control, Progress::Task::iterating);
  run(em, latent, control.threads, [&] { meter.advance(em.step()); });
  report_em(em, options.unlabelled_weight.value_or(0), report);
  if (report.outcome == Outcome::degenerate)
    report.notes.push_back({"a component is on the variance floor", Note::Kind::warning});
  std::vector<Block> parts = em.model().blocks();
  parts[*gaussians.place] = tidy(parts[*gaussians.place]);
  return {em.model().classes(), em.model().prior(), std::move(parts), em.model().target()};
}

}  // namespace

Fitted<Model> fit_mixtures(const Rows& rows, ClassGaussians gaussians, const Recipe& recipe,
                           const FitOptions& options, const Control& control) {
  Report report = gaussians.model ? Report{.columns_left_out = gaussians.report.columns_left_out}
                                  : std::move(gaussians.report);
  report.rows = sums::rows_with_weight(rows);
  const std::vector<ComponentScale> scales =
      naming_left_out(report, [&] { return scales_of(gaussians, recipe.gaussian, report); });
  const auto by_class = rows_by_class(rows, *gaussians.plan);
  const std::vector<FoundMixture> found =
      found_mixtures(rows, gaussians, by_class, scales, recipe, control);
  MixtureParameters start;
  for (std::size_t k = 0; k < found.size(); ++k)
    add_class(start, found[k].mixture, static_cast<Index>(k));
  put_mixtures(gaussians, recipe.gaussian, start.component_class, scales);
  Model model = model_of(gaussians, start, control.threads, report);
  if (gaussians.model || is_tied(recipe.gaussian.covariance)) {
    model = learned_together(rows, gaussians, std::move(model), options, control, report);
  } else {
    add_outcomes(found, gaussians.plan->classes, report);
  }
  note_fewer(found, gaussians.plan->classes, recipe.mixture->components.min, report);
  report.notes.push_back(
      {chosen(gaussians.plan->classes, blocks::mixtures_of(model.blocks()[*gaussians.place]))});
  return with_report(std::move(model), std::move(report));
}

}  // namespace genera::fit_detail
