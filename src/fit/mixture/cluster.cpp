#include <genera/mixture.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "blocks/gaussian/estimate/remedies.hpp"
#include "blocks/gaussian/estimate/estimate.hpp"
#include "blocks/gaussian/estimate/singular.hpp"
#include "data/columns.hpp"
#include "fit/refuse.hpp"
#include "fit/report.hpp"
#include "fit/mixture/class_gaussians.hpp"
#include "fit/mixture/components.hpp"
#include "fit/mixture/ordered_rows.hpp"
#include "fit/mixture/search.hpp"
#include "kernel/cholesky.hpp"
#include "kernel/index.hpp"
#include "kernel/shared_progress.hpp"
#include "kernel/text.hpp"
#include "sums/collect.hpp"
#include "sums/row_moments.hpp"
#include "sums/summarise.hpp"

namespace genera {
namespace {

using blocks::ComponentScale;
using blocks::GaussianInput;
using fit_detail::ClassGaussians;
using fit_detail::FoundMixture;
using kernel::at;

/// Only the numeric columns, with all rows in one class.
struct NumericRows {
  NumericRows(const Rows& all, Report& report) {
    DataView view = all.data();
    std::vector<std::string> others;
    for (const Column& column : view.columns) {
      if (column.type != ColumnType::numeric) others.push_back(column.name);
    }
    if (data::sparse_features(view) || others.size() == view.columns.size() || view.by_position)
      throw Error(Errc::bad_data, "there is no numeric column to find groups in",
                  "give a table with numbers");
    if (!others.empty()) {
      report.notes.push_back(
          {fmt::format("{} {} and left out", kernel::quoted_list(others),
                       others.size() == 1 ? "is not a number" : "are not numbers")});
      report.columns_left_out = others;
      view = data::only_numbers(view, data::number_places(view, ColumnType::numeric));
    }
    view.target = "cluster";
    labels.resize(at(view.rows));
    view.labels = CodesView(labels.data(), names);
    rows = Rows(std::move(view));
    for (Index i = 0; i < all.count(); ++i) list.push_back(all.row(i));
    if (!all.contiguous() || all.count() != all.data().rows) rows = rows.only(list);
  }
  NumericRows(const NumericRows&) = delete;
  NumericRows& operator=(const NumericRows&) = delete;

  std::vector<std::int8_t> labels;
  std::vector<std::string> names{"all rows"};
  std::vector<Index> list;
  Rows rows;
};

GaussianOptions gaussian_of(const ClusterOptions& options, Covariance covariance) {
  GaussianOptions gaussian;
  gaussian.covariance = covariance;
  gaussian.variance_floor = options.variance_floor;
  gaussian.raw_units = options.raw_units;
  gaussian.on_singular = options.on_singular;
  return gaussian;
}

/// The structures that the rows support. If the covariance of all rows has no inverse, no
/// covariance of a part of them has one.
std::vector<Covariance> usable(const ClusterOptions& options, const GaussianInput& input,
                               Report& report) {
  std::vector<Covariance> structures = options.covariances;
  if (options.on_singular == OnSingular::shrink || std::ranges::none_of(structures, is_full))
    return structures;
  Matrix covariance = input.scatter.front();
  for (Index i = 0; i < covariance.rows(); ++i) {
    for (double& value : covariance.row(i)) value /= input.total_count();
  }
  if (kernel::is_regular(covariance)) return structures;
  const Error singular = blocks::singular_error(
      input, {fmt::format("all {} rows together", input.rows.front()), covariance},
      blocks::remedies_for_mixture(input, gaussian_of(options, Covariance::tied)));
  if (std::ranges::all_of(structures, is_full)) throw singular;
  std::erase_if(structures, is_full);
  report.notes.push_back(
      {fmt::format("structures with full covariances are left out: {}", singular.what())});
  return structures;
}

ComponentScale scale_of(const GaussianInput& input, const ClusterOptions& options, bool full,
                        Report& report) {
  const Covariance covariance = full ? Covariance::tied : Covariance::tied_diag;
  return component_scale(input,
                         estimate_gaussian(input, gaussian_of(options, covariance), {}, report), 0);
}

/// Over completed rows, independent of the requested structures, which do not share starts.
Matrix covariance_of(const Matrix& completed, const Rows& rows) {
  constexpr Index max_columns = 200;  // the work grows with their square
  const Index d = completed.columns();
  if (d > max_columns) return {};
  Vector weights;
  for (Index i = 0; i < rows.count(); ++i) weights.push_back(rows.weight(rows.row(i)));
  sums::RowMoments moments(data::NumberColumns(completed), weights, Scatter::full);
  std::vector<Index> all(at(completed.rows()));
  std::iota(all.begin(), all.end(), Index{0});
  Moments of_all = moments.of(all);
  for (Index i = 0; i < d; ++i) {
    for (Index j = 0; j < d; ++j) of_all.scatter(i, j) /= of_all.weight;
  }
  return of_all.scatter;
}

/// The structure with the fewest parameters.
Covariance simplest(const std::vector<Covariance>& structures) {
  for (const Covariance covariance : {Covariance::tied_spherical, Covariance::spherical,
                                      Covariance::tied_diag, Covariance::diag}) {
    if (std::ranges::find(structures, covariance) != structures.end()) return covariance;
  }
  return structures.front();
}

/// The components as classes.
Fitted<Model> model_of(const FoundMixture& found, double weight, Report report) {
  const auto order = fit_detail::heaviest_first(found.mixture);
  GaussianParameters parameters = fit_detail::selected(found.mixture.components, order);
  std::vector<std::string> names;
  Vector shares;
  parameters.counts.clear();
  for (std::size_t c = 0; c < order.size(); ++c) {
    names.push_back(std::to_string(c + 1));
    shares.push_back(found.mixture.weights[order[c]]);
    parameters.counts.push_back(shares.back() * weight);
  }
  report.outcome = found.outcome;
  report.em = EmCourse{.iterations = found.iterations,
                       .log_likelihood_first = found.log_likelihood_first,
                       .log_likelihood = found.log_likelihood};
  if (found.outcome == Outcome::iteration_limit)
    report.notes.push_back({fmt::format("EM did not converge in {} iterations", found.iterations),
                            Note::Kind::warning});
  if (found.on_floor())
    report.notes.push_back(
        {{"every start ended with a component on the variance floor: use fewer {} or a "
          "simpler {}",
          {{"components"}, {"covariance"}}},
         Note::Kind::warning});
  return fit_detail::with_report({std::move(names),
                                  Prior(std::move(shares)),
                                  {blocks::block_of(std::move(parameters))},
                                  "cluster"},
                                 std::move(report));
}

Index max_components(const MixtureOptions::Range& range, Index rows, Report& report) {
  if (range.min > rows)
    throw Error(Errc::bad_data,
                fmt::format("{} components for {}", range.min, counted(rows, "row")),
                {"ask for fewer {}, or give more rows", {{"components"}}});
  if (range.max > rows)
    report.notes.push_back({fmt::format("there {} {}: no more components than that",
                                        rows == 1 ? "is" : "are", counted(rows, "row"))});
  return std::min(range.max, rows);
}

/// One Gaussian over all usable rows, and the list of these rows.
ClassGaussians class_gaussians(NumericRows& numeric, const ClusterOptions& options,
                               const Control& control, Report& report) {
  Recipe recipe;
  recipe.gaussian = gaussian_of(options, Covariance::tied);
  recipe.gaussian.on_singular = OnSingular::shrink;
  sums::Pass pass =
      sums::pass_over(numeric.rows, {.missing = options.missing}, sums::Entries::all, control);
  if (options.missing == Missing::em && pass.summary.incomplete_rows > 0) {
    report.missing_numbers = std::accumulate(pass.summary.missing_cells.begin(),
                                             pass.summary.missing_cells.end(), Index{0});
    report.notes.push_back({fit_detail::missing_numbers_text(report.missing_numbers)});
    return fit_detail::class_gaussians(numeric.rows, recipe, {}, kernel::silent(control));
  }
  const Collected seen = sums::finish(std::move(pass), options.missing);
  report.notes.insert(report.notes.end(), seen.notes.begin(), seen.notes.end());
  report.dropped_rows = seen.dropped_rows;
  if (seen.dropped_rows > 0) {
    const auto usable = sums::usable_rows(numeric.rows, options.missing);
    std::erase_if(numeric.list, [&](Index row) { return !usable(row); });
    numeric.rows = numeric.rows.only(numeric.list);
  }
  return fit_detail::class_gaussians(seen.statistics, recipe);
}

/// Notes candidates that only the variance floor excludes although each component has enough rows:
/// they may be real.
void note_floored(const std::vector<FoundMixture>& found, const FoundMixture& best,
                  const GaussianInput& input, Report& report) {
  constexpr double rows_per_column = 10;
  const auto many = rows_per_column * static_cast<double>(input.dimension() + 1);
  const FoundMixture* min = &best;
  for (const FoundMixture& one : found) {
    const double min_weight = std::ranges::min(one.mixture.weights) * input.total_count();
    if (one.on_floor() && min_weight >= many && one.bic < min->bic) min = &one;
  }
  if (min == &best) return;
  report.notes.push_back(
      {{fmt::format("{} would have a BIC of {:.2f}, but one varies in some direction as little as "
                    "the variance floor allows; if that is real, use a lower {{}}",
                    counted(min->components, "component"), min->bic),
        {{"variance_floor"}}}});
}

}  // namespace

void validate(const ClusterOptions& options) {
  validate(options.mixture);
  if (options.covariances.empty())
    throw Error(Errc::bad_argument, "no covariance structure is given",
                "give at least one, such as qda");
  for (const Covariance covariance : options.covariances) {
    validate(gaussian_of(options, covariance));
    fit_detail::refuse_for_mixtures(gaussian_of(options, covariance));
  }
}

Clustering cluster(const Rows& rows, const ClusterOptions& options, const Control& control) {
  validate(options);
  Report report;
  NumericRows numeric(rows, report);
  ClassGaussians one = class_gaussians(numeric, options, control, report);
  if (!one.place)
    throw Error(Errc::bad_data, "every column is constant: there are no groups to find",
                "give a column that varies");
  std::ranges::copy_if(one.report.notes, std::back_inserter(report.notes),
                       [&](const Note&) { return !one.model; });
  std::ranges::copy(one.report.columns_left_out, std::back_inserter(report.columns_left_out));
  const GaussianInput input = one.input();
  const std::vector<Covariance> structures = usable(options, input, report);
  const bool full = std::ranges::any_of(structures, is_full);
  report.rows = numeric.rows.count();
  const Index max = max_components(options.mixture.components, report.rows, report);
  std::vector<fit_detail::MixtureCandidate> tried;
  for (const Covariance covariance : structures) {
    for (Index m = options.mixture.components.min; m <= max; ++m)
      tried.push_back({m, gaussian_of(options, covariance)});
  }
  const int starts =
      options.mixture.starts.value_or(fit_detail::starts_for(report.rows, input.dimension()));
  const fit_detail::SearchCost cost({report.rows, input.dimension(), starts});
  kernel::SharedMeter meter(control, Progress::Task::searching,
                            {std::ssize(tried), cost.all(tried)});
  const fit_detail::OrderedRows ordered(one, 0, numeric.rows);
  Matrix completed = completed_numbers(one, 0, ordered.rows());
  Matrix whitening = covariance_of(completed, ordered.rows());
  fit_detail::MixtureSearch search(
      {ordered.rows(), one.gaussian().frame(), scale_of(input, options, false, report),
       full ? std::optional(scale_of(input, options, true, report)) : std::nullopt,
       std::move(completed), std::move(whitening)},
      options.mixture, starts, control.threads);
  std::vector<ClusterCandidate> candidates;
  std::optional<FoundMixture> best;
  std::size_t place = 0;
  const auto consider = [&](FoundMixture found, Covariance covariance) {
    candidates.push_back({found.components, covariance, found.log_likelihood, found.parameters,
                          found.bic, found.outcome != Outcome::iteration_limit && !found.given_up,
                          found.on_floor(), found.given_up});
    if (best && !fit_detail::better(found, *best)) return;
    best = std::move(found);
    place = candidates.size() - 1;
  };
  const auto all =
      search.find_all(tried, [&](Index more, double spent) { meter.advance(more, spent); });
  for (std::size_t i = 0; i < all.size(); ++i) consider(all[i], tried[i].options.covariance);
  if (best->on_floor()) {
    const Covariance covariance = simplest(structures);
    report.notes.push_back(
        {{"with any number of {}, a component is on the variance floor; one component "
          "is used",
          {{"components"}}},
         Note::Kind::warning});
    tried = {{1, gaussian_of(options, covariance)}};
    consider(search.find_all(tried, [&](Index, double) { meter.pause(); }).front(), covariance);
  } else {
    note_floored(all, *best, input, report);
  }
  Fitted<Model> fitted = model_of(*best, input.total_count(), std::move(report));
  return {std::move(candidates), place, std::move(fitted.model), std::move(fitted.report)};
}

}  // namespace genera
