#include <genera/mixture.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "data/svmlight/svmlight.hpp"
#include "fit/gaussian.hpp"
#include "fit/mixture/search.hpp"
#include "fit/singular.hpp"
#include "kernel/cholesky.hpp"
#include "kernel/text.hpp"
#include "stats/collect.hpp"
#include "stats/summarise.hpp"

namespace genera {
namespace {

using fit_detail::FoundMixture;
using fit_detail::GaussianInput;
using fit_detail::is_full;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// The numeric columns alone, all rows in one class: what the statistics take.
Table numeric_part(const Table& table, std::vector<std::string>& notes) {
  std::vector<std::string> names, others;
  for (const Column& column : table.columns)
    (column.type == ColumnType::numeric ? names : others).push_back(column.name);
  if (data::is_svmlight(table) || names.empty())
    throw Error(Errc::bad_data, "there is no numeric column to find groups in",
                "give a table with numbers");
  if (!others.empty())
    notes.push_back(fmt::format("{} {} no number{} and left out", kernel::quoted_list(others),
                                others.size() == 1 ? "is" : "are", others.size() == 1 ? "" : "s"));
  const std::vector<Index> places = stats::number_places(table, names);
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
std::vector<Family> usable(const ClusterOptions& options, GaussianInput& input) {
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
                "use --covariance gnb or spherical, --on-singular shrink, or leave these columns "
                "out with --drop");
  std::erase_if(families, is_full);
  input.notes.push_back(
      fmt::format("structures with full covariances are left out: {}", singular.what()));
  return families;
}

fit_detail::EmScale scale_of(GaussianInput& input, const ClusterOptions& options, bool full) {
  const Index d = input.dimension();
  fit_detail::EmScale scale{Matrix(d, d), input.total_variance};
  for (Index j = 0; j < d; ++j) scale.reference(j, j) = input.total_variance[at(j)];
  if (full)
    scale.reference =
        fit_detail::estimate_gaussian(input, gaussian_of(options, Family::lda), std::nullopt)
            .covariances.front();
  return scale;
}

Model model_of(const FoundMixture& found, double weight, std::vector<std::string> notes) {
  const auto order = fit_detail::heaviest_first(found.em, found.em.weights);
  GaussianParameters parameters = fit_detail::selected(found.em.gaussian, order);
  std::vector<std::string> names;
  Vector shares;
  for (std::size_t c = 0; c < order.size(); ++c) {
    names.push_back(std::to_string(c + 1));
    shares.push_back(found.em.weights[order[c]]);
    parameters.counts[c] = shares.back() * weight;
  }
  if (!found.em.converged)
    notes.push_back(
        fmt::format("EM did not converge in {} iterations", found.em.log_likelihood.size()));
  if (found.em.on_floor)
    notes.push_back(
        "every start ended with a component that had to be kept from collapsing: use fewer "
        "components or a simpler covariance");
  return {std::move(names),
          Prior(std::move(shares)),
          {GaussianBlock(std::move(parameters))},
          "cluster",
          std::move(notes)};
}

Index most_components(const MixtureOptions::Range& range, Index rows,
                      std::vector<std::string>& notes) {
  if (range.least > rows)
    throw Error(Errc::bad_data,
                fmt::format("{} components for {} row{}", range.least, rows, rows == 1 ? "" : "s"),
                "ask for fewer --components, or give more rows");
  if (range.most > rows)
    notes.push_back(fmt::format("there are {} rows: no more components than that", rows));
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

Clustering cluster(const Table& table, const ClusterOptions& options) {
  validate(options);
  std::vector<std::string> notes;
  const Table part = numeric_part(table, notes);
  const Collected seen = collect(part, {.missing = options.missing, .threads = options.threads});
  notes.insert(notes.end(), seen.notes.begin(), seen.notes.end());
  GaussianOptions alone = gaussian_of(options, Family::lda);
  alone.on_singular = OnSingular::shrink;
  GaussianInput input = fit_detail::gaussian_input(seen.statistics, alone);
  if (input.columns.empty())
    throw Error(Errc::bad_data, "every column is constant: there are no groups to find",
                "give a column that varies");
  const std::vector<Family> families = usable(options, input);
  const bool full = std::ranges::any_of(families, is_full);
  std::vector<Index> rows;
  const auto is_usable = stats::usable_rows(part, options.missing);
  for (Index i = 0; i < part.rows(); ++i) {
    if (is_usable(i)) rows.push_back(i);
  }
  const Index most = most_components(options.mixture.components, std::ssize(rows), input.notes);
  fit_detail::MixtureSearch search(fit_detail::numbers_of(part, rows, input),
                                   scale_of(input, options, full), options.mixture,
                                   options.threads);
  notes.insert(notes.end(), input.notes.begin(), input.notes.end());
  std::vector<ClusterCandidate> candidates;
  std::optional<FoundMixture> best;
  std::size_t place = 0;
  for (const Family family : families) {
    for (Index m = options.mixture.components.least; m <= most; ++m) {
      FoundMixture found = search.find(m, gaussian_of(options, family));
      candidates.push_back({m, family, found.log_likelihood, found.parameters, found.bic,
                            found.em.converged, found.em.on_floor});
      if (best && !fit_detail::better(found, *best)) continue;
      best = std::move(found);
      place = candidates.size() - 1;
    }
  }
  return {std::move(candidates), place, model_of(*best, input.total_count(), std::move(notes))};
}

}  // namespace genera
