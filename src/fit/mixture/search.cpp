#include "fit/mixture/search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/query.hpp>

#include "data/columns.hpp"
#include "fit/mixture/k_means.hpp"
#include "kernel/cholesky.hpp"
#include "kernel/index.hpp"
#include "kernel/parallel.hpp"
#include "sums/summarise.hpp"

namespace genera::fit_detail {
namespace {

using kernel::at;

constexpr int short_iterations = 20;
constexpr std::size_t carried_on = 3;     // starts that are followed to the end
constexpr double rough_tolerance = 1e-6;  // of the log-likelihood per row: enough to see who leads
/// Two starts whose log-likelihoods per row differ by less are on the way to the same maximum.
constexpr double same_maximum = 1e-7;

bool better_run(const EmResult& a, const EmResult& b) {
  if (a.on_floor != b.on_floor) return b.on_floor;
  return a.log_likelihood.back() > b.log_likelihood.back();
}

/// The best first; of those that climb to the same maximum only one.
std::vector<EmResult> promising(std::vector<EmResult> runs, double weight) {
  std::stable_sort(runs.begin(), runs.end(), better_run);
  std::vector<EmResult> kept;
  for (EmResult& run : runs) {
    const bool known = !kept.empty() && kept.back().on_floor == run.on_floor &&
                       std::abs(kept.back().log_likelihood.back() - run.log_likelihood.back()) <=
                           same_maximum * weight;
    if (!known && kept.size() < carried_on) kept.push_back(std::move(run));
  }
  return kept;
}

Matrix hard(const std::vector<std::int32_t>& groups, Index components) {
  Matrix responsibilities(std::ssize(groups), components);
  for (std::size_t i = 0; i < groups.size(); ++i)
    responsibilities(static_cast<Index>(i), groups[i]) = 1;
  return responsibilities;
}

bool is_diagonal(const Matrix& s) {
  for (Index i = 0; i < s.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      if (s(i, j) != 0) return false;
    }
  }
  return true;
}

/// A x with A' A = reference^-1: groups that lie along correlated columns come apart.
Matrix whitened(const Matrix& rows, const Matrix& reference) {
  std::vector<Index> order(at(rows.columns()));
  std::iota(order.begin(), order.end(), Index{0});
  const auto factor = kernel::factorise(reference, order);
  if (!factor) return {};
  Matrix result(rows.rows(), rows.columns());
  for (Index i = 0; i < rows.rows(); ++i) {
    for (Index k = 0; k < rows.columns(); ++k) {
      for (Index j = 0; j <= k; ++j) result(i, k) += factor->inverse(k, j) * rows(i, j);
    }
  }
  return result;
}

Components unlabelled(Index components) { return {{"all"}, std::vector<Index>(at(components), 0)}; }

}  // namespace

bool better(const FoundMixture& a, const FoundMixture& b) {
  if (a.em.on_floor != b.em.on_floor) return b.em.on_floor;
  return a.bic < b.bic;
}

MixtureSearch::MixtureSearch(Table rows, EmScale scale, const MixtureOptions& options, Way way)
    : rows_(std::move(rows)),
      scale_(std::move(scale)),
      options_(options),
      way_(std::move(way)),
      scaled_(rows_.numbers),
      weights_(rows_.weights.empty() ? Vector(at(rows_.rows()), 1.0) : rows_.weights) {
  weight_ = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  for (Index i = 0; i < scaled_.rows(); ++i) {
    for (Index j = 0; j < scaled_.columns(); ++j) scaled_(i, j) /= std::sqrt(scale_.unit[at(j)]);
  }
  const bool correlated = !is_diagonal(scale_.reference);
  if (correlated && options_.starts > 1 && options_.components.most > 1)
    whitened_ = whitened(rows_.numbers, scale_.reference);
}

const std::vector<MixtureSearch::Groups>& MixtureSearch::starts(Index components) {
  std::vector<Groups>& found = starts_[components];
  if (!found.empty()) return found;
  found.resize(components == 1 ? 1 : static_cast<std::size_t>(options_.starts));
  const Rng rng = Rng(options_.seed).split(static_cast<std::uint64_t>(components));
  kernel::parallel_for(std::ssize(found), way_.threads, [&](Index s) {
    const bool second = s % 2 == 1 && !whitened_.empty();
    found[at(s)] = k_means(second ? whitened_ : scaled_, weights_, components,
                           rng.split(static_cast<std::uint64_t>(s)));
  });
  return found;
}

std::vector<EmResult> MixtureSearch::short_runs(Index components, const GaussianOptions& options) {
  const std::vector<Groups>& groups = starts(components);
  const bool side_by_side = std::ssize(groups) >= way_.threads;  // which changes no bit
  EmOptions em{
      .most_iterations = components == 1 ? 1 : std::min(short_iterations, options_.most_iterations),
      .threads = side_by_side ? 1 : way_.threads,
      .scale = scale_};
  std::vector<EmResult> runs(groups.size());
  kernel::parallel_for(
      std::ssize(groups), side_by_side ? way_.threads : 1,
      [&](Index s) {
        runs[at(s)] =
            run_em(rows_, options, unlabelled(components), hard(groups[at(s)], components), em);
      },
      [&](Index) { way_.pause(); });
  return runs;
}

FoundMixture MixtureSearch::find(Index components, const GaussianOptions& options) {
  std::vector<EmResult> runs = promising(short_runs(components, options), weight_);
  const auto carry_on = [&](EmResult& run, double tolerance) {
    run = run_em(rows_, options, unlabelled(components),
                 posterior(component_model(run), rows_, {.threads = way_.threads}),
                 {.most_iterations = options_.most_iterations - short_iterations,
                  .tolerance = tolerance,
                  .threads = way_.threads,
                  .scale = scale_,
                  .after_iteration = way_.pause});
  };
  if (components == 1) runs.front().converged = true;  // there is nothing to iterate
  if (components > 1 && options_.most_iterations > short_iterations) {
    for (EmResult& run : runs) carry_on(run, rough_tolerance);
    // Only the leader goes to the end, and whoever leads then.
    for (std::size_t done = 0; done < runs.size(); ++done) {
      std::stable_sort(runs.begin() + static_cast<Index>(done), runs.end(), better_run);
      carry_on(runs[done], EmOptions().tolerance);
      if (done + 1 == runs.size() || !better_run(runs[done + 1], runs[done])) break;
    }
    std::stable_sort(runs.begin(), runs.end(), better_run);
  }
  FoundMixture found{std::move(runs.front()), components, 0, 0, 0};
  found.parameters = component_model(found.em).free_parameters().total();
  found.log_likelihood = found.em.log_likelihood.back();
  found.bic = -2 * found.log_likelihood + static_cast<double>(found.parameters) * std::log(weight_);
  return found;
}

Table numbers_of(const Table& table, const std::vector<Index>& rows, const GaussianInput& input) {
  const std::vector<Index> places = data::number_places(Rows(table).data(), input.columns);
  Matrix numbers(std::ssize(rows), input.dimension());
  for (Index i = 0; i < numbers.rows(); ++i) {
    for (Index j = 0; j < numbers.columns(); ++j)
      numbers(i, j) = table.numbers(rows[at(i)], places[at(j)]);
  }
  Table result = make_table(input.columns, std::move(numbers));
  for (std::size_t i = 0; !table.weights.empty() && i < rows.size(); ++i)
    result.weights.push_back(table.weights[at(rows[i])]);
  return result;
}

Model component_model(const EmResult& em) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < em.weights.size(); ++c) names.push_back(std::to_string(c + 1));
  return {names, Prior(em.weights), {GaussianBlock(em.gaussian)}};
}

std::vector<std::size_t> heaviest_first(const EmResult& em, const Vector& weights) {
  std::vector<std::size_t> order;
  for (std::size_t c = 0; c < weights.size(); ++c) {
    if (weights[c] > 0) order.push_back(c);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (weights[a] != weights[b]) return weights[a] > weights[b];
    return std::ranges::lexicographical_compare(em.gaussian.means.row(static_cast<Index>(a)),
                                                em.gaussian.means.row(static_cast<Index>(b)));
  });
  return order;
}

GaussianParameters selected(const GaussianParameters& all,
                            const std::vector<std::size_t>& components) {
  GaussianParameters chosen = all;
  const Index d = all.means.columns();
  chosen.means = Matrix(std::ssize(components), d);
  const bool own_covariances = all.covariances.size() > 1;
  const bool own_variances = all.variances.rows() > 1;
  if (own_covariances) chosen.covariances.clear();
  if (own_variances) chosen.variances = Matrix(std::ssize(components), d);
  chosen.counts.clear();
  for (std::size_t to = 0; to < components.size(); ++to) {
    const std::size_t from = components[to];
    const auto row = [&](const Matrix& a, Matrix& b) {
      std::ranges::copy(a.row(static_cast<Index>(from)), b.row(static_cast<Index>(to)).begin());
    };
    row(all.means, chosen.means);
    if (own_covariances) chosen.covariances.push_back(all.covariances[from]);
    if (own_variances) row(all.variances, chosen.variances);
    if (!all.counts.empty()) chosen.counts.push_back(all.counts[from]);
  }
  chosen.shrinkage.clear();  // what the floor did is no shrinkage that was asked for
  return chosen;
}

void refuse_for_mixtures(const GaussianOptions& options) {
  const auto refuse = [](const std::string& what, const Advice& hint) {
    throw Error(Errc::bad_argument, what, hint);
  };
  if (options.family == Family::rda)
    refuse("mixtures have no covariance structure rda",
           {"choose {}, lda, gnb, dlda, spherical or centroid", {{"covariance", {"qda"}}}});
  if (options.shrinkage.kind != Shrinkage::Kind::none)
    refuse("mixtures have no shrinkage: the variance floor keeps their covariances regular",
           {"leave {} out, or choose a simpler {}", {{"shrinkage"}, {"covariance"}}});
  if (options.divisor == Divisor::unbiased)
    refuse("mixtures are fitted by maximum likelihood: they have no unbiased divisor",
           {"leave {} out", {{"divisor"}}});
}

}  // namespace genera::fit_detail
