#include <genera/mixture.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "data/columns.hpp"
#include "data/svmlight/svmlight.hpp"
#include "fit/estimate.hpp"
#include "fit/gaussian.hpp"
#include "fit/mixture/search.hpp"
#include "fit/singular.hpp"
#include "kernel/cholesky.hpp"
#include "kernel/index.hpp"
#include "kernel/progress.hpp"
#include "kernel/text.hpp"
#include "sums/collect.hpp"
#include "sums/summarise.hpp"

namespace genera {
namespace {

using kernel::at;

using fit_detail::FoundMixture;
using fit_detail::GaussianInput;
using fit_detail::is_full;

/// The numeric columns alone, all rows in one class: what the statistics take.
Table numeric_part(const Table& table, Report& report) {
  std::vector<std::string> names, others;
  for (const Column& column : table.columns)
    (column.type == ColumnType::numeric ? names : others).push_back(column.name);
  if (data::is_svmlight(table) || names.empty())
    throw Error(Errc::bad_data, "there is no numeric column to find groups in",
                "give a table with numbers");
  if (!others.empty())
    report.notes.push_back(
        {fmt::format("{} {} and left out", kernel::quoted_list(others),
                     others.size() == 1 ? "is not a number" : "are not numbers")});
  report.columns_left_out = others;
  const std::vector<Index> places = data::number_places(Rows(table).data(), names);
  Matrix numbers(table.rows(), std::ssize(names));
  for (Index i = 0; i < numbers.rows(); ++i) {
    for (Index j = 0; j < numbers.columns(); ++j) numbers(i, j) = table.numbers(i, places[at(j)]);
  }
  Table part =
      make_table(names, std::move(numbers), std::vector<std::string>(at(table.rows()), "all rows"));
  part.target = "cluster";
  part.weights = table.weights;
  part.source = table.source;
  part.lines = table.lines;
  return part;
}

GaussianOptions gaussian_of(const ClusterOptions& options, Family family) {
  GaussianOptions gaussian;
  gaussian.family = family;
  gaussian.variance_floor = options.variance_floor;
  gaussian.raw_units = options.raw_units;
  gaussian.on_singular = options.on_singular;
  return gaussian;
}

/// The structures that the rows can carry. Without an inverse of the covariance of all rows there
/// is none of a part of them.
std::vector<Family> usable(const ClusterOptions& options, const GaussianInput& input,
                           Report& report) {
  std::vector<Family> families = options.covariances;
  if (options.on_singular == OnSingular::shrink || std::ranges::none_of(families, is_full))
    return families;
  Matrix covariance = input.scatter.front();
  for (Index i = 0; i < covariance.rows(); ++i) {
    for (double& value : covariance.row(i)) value /= input.total_count();
  }
  if (kernel::is_regular(covariance)) return families;
  const Error singular = fit_detail::singular_error(
      input, gaussian_of(options, Family::qda),
      {fmt::format("all {} rows together", input.rows.front()), covariance});
  if (std::ranges::all_of(families, is_full))
    throw Error(Errc::bad_model, singular.what(),
                {"use {} or spherical, {}, or leave these columns out with {}",
                 {{"covariance", {"gnb"}}, {"on_singular", {"shrink"}}, {"drop"}}});
  std::erase_if(families, is_full);
  report.notes.push_back(
      {fmt::format("structures with full covariances are left out: {}", singular.what())});
  return families;
}

fit_detail::EmScale scale_of(const GaussianInput& input, const ClusterOptions& options, bool full,
                             Report& report) {
  const Index d = input.dimension();
  fit_detail::EmScale scale{Matrix(d, d), input.total_variance};
  for (Index j = 0; j < d; ++j) scale.reference(j, j) = input.total_variance[at(j)];
  if (full)
    scale.reference = fit_detail::estimate_gaussian(input, gaussian_of(options, Family::lda),
                                                    std::nullopt, report)
                          .covariances.front();
  return scale;
}

Fitted<Model> model_of(const FoundMixture& found, double weight, Report report) {
  const auto order = fit_detail::heaviest_first(found.em, found.em.weights);
  GaussianParameters parameters = fit_detail::selected(found.em.gaussian, order);
  std::vector<std::string> names;
  Vector shares;
  for (std::size_t c = 0; c < order.size(); ++c) {
    names.push_back(std::to_string(c + 1));
    shares.push_back(found.em.weights[order[c]]);
    parameters.counts[c] = shares.back() * weight;
  }
  fit_detail::add_outcome(found.em, report);
  if (!found.em.converged)
    report.notes.push_back(
        {fmt::format("EM did not converge in {} iterations", found.em.log_likelihood.size()),
         Note::Kind::warning});
  if (found.em.on_floor)
    report.notes.push_back({{"every start ended with a component that had to be kept from "
                             "collapsing: use fewer {} or a "
                             "simpler {}",
                             {{"components"}, {"covariance"}}},
                            Note::Kind::warning});
  return fit_detail::noted({std::move(names),
                            Prior(std::move(shares)),
                            {GaussianBlock(std::move(parameters))},
                            "cluster"},
                           std::move(report));
}

Index most_components(const MixtureOptions::Range& range, Index rows, Report& report) {
  if (range.least > rows)
    throw Error(Errc::bad_data,
                fmt::format("{} components for {} row{}", range.least, rows, rows == 1 ? "" : "s"),
                {"ask for fewer {}, or give more rows", {{"components"}}});
  if (range.most > rows)
    report.notes.push_back({fmt::format("there are {} rows: no more components than that", rows)});
  return std::min(range.most, rows);
}

}  // namespace

void validate(const ClusterOptions& options) {
  validate(options.mixture);
  if (options.covariances.empty())
    throw Error(Errc::bad_argument, "no covariance structure is given",
                "give at least one, such as qda");
  for (const Family family : options.covariances) {
    validate(gaussian_of(options, family));
    fit_detail::refuse_for_mixtures(gaussian_of(options, family));
  }
}

Clustering cluster(const Table& table, const ClusterOptions& options, const Control& control) {
  validate(options);
  Report report;
  const Table part = numeric_part(table, report);
  const Collected seen = collect(part, {.missing = options.missing}, control);
  report.notes.insert(report.notes.end(), seen.notes.begin(), seen.notes.end());
  report.dropped_rows = seen.dropped_rows;
  GaussianOptions alone = gaussian_of(options, Family::lda);
  alone.on_singular = OnSingular::shrink;
  const GaussianInput input = fit_detail::gaussian_input(seen.statistics, alone, report);
  if (input.columns.empty())
    throw Error(Errc::bad_data, "every column is constant: there are no groups to find",
                "give a column that varies");
  const std::vector<Family> families = usable(options, input, report);
  const bool full = std::ranges::any_of(families, is_full);
  std::vector<Index> rows;
  const auto is_usable = sums::usable_rows(part, options.missing);
  for (Index i = 0; i < part.rows(); ++i) {
    if (is_usable(i)) rows.push_back(i);
  }
  report.rows = std::ssize(rows);
  const Index most = most_components(options.mixture.components, report.rows, report);
  const Index numbers = most - options.mixture.components.least + 1;
  kernel::ProgressMeter meter(control, Progress::Task::searching, std::ssize(families) * numbers);
  fit_detail::MixtureSearch search(fit_detail::numbers_of(part, rows, input),
                                   scale_of(input, options, full, report), options.mixture,
                                   {control.threads, [&] { meter.pause(); }});
  std::vector<ClusterCandidate> candidates;
  std::optional<FoundMixture> best;
  std::size_t place = 0;
  for (const Family family : families) {
    for (Index m = options.mixture.components.least; m <= most; ++m) {
      FoundMixture found = search.find(m, gaussian_of(options, family));
      candidates.push_back({m, family, found.log_likelihood, found.parameters, found.bic,
                            found.em.converged, found.em.on_floor});
      meter.advance(1);
      if (best && !fit_detail::better(found, *best)) continue;
      best = std::move(found);
      place = candidates.size() - 1;
    }
  }
  Fitted<Model> fitted = model_of(*best, input.total_count(), std::move(report));
  return {std::move(candidates), place, std::move(fitted.model), std::move(fitted.report)};
}

}  // namespace genera
