#include "blocks/gaussian/plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "blocks/gaussian/estimate/remedies.hpp"
#include "blocks/gaussian/missing/information.hpp"
#include "blocks/gaussian/kind.hpp"
#include "blocks/gaussian/estimate/likelihood.hpp"
#include "blocks/gaussian/estimate/shrink_singular.hpp"
#include "blocks/gaussian/estimate/sparse_moments.hpp"
#include "kernel/cholesky.hpp"
#include "kernel/index.hpp"
#include "kernel/panel.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

/// A covariance whose smallest pivot, on the scale of correlations, falls below this is collapsing:
/// with so few complete rows that the likelihood certainly has no maximum, and in other cases.
constexpr double certain_collapse = 1e-3, any_collapse = 1e-9;

/// Weight of the prior of a covariance that collapses because too few rows are complete.
constexpr double weak_prior_rows = 2;

/// Pairs of columns are observed too rarely to estimate a covariance if both limits are undercut:
/// rows with both columns, per column, and their part of all rows. The likelihood may then have a
/// maximum, but one that depends more on the pattern of missing values than on the rows.
constexpr double enough_rows = 7, enough_of_rows = 0.6;

bool poorly_observed(double complete, double rows, Index d) {
  if (!(rows > 0)) return true;
  // If cells are missing at random, the probability that a row has a given pair of columns is this
  // power of the probability of having all columns.
  const double pairs = std::pow(complete / rows, 2 / static_cast<double>(d));
  return pairs < enough_of_rows && pairs * rows < enough_rows * static_cast<double>(d);
}

/// The smallest conditional variance of a column given those before it, relative to its variance.
double min_pivot(const Matrix& covariance) {
  const auto factor = kernel::factorise(covariance);
  if (!factor) return 0;
  double min = 1;
  for (Index j = 0; j < covariance.rows(); ++j) {
    const double a = factor->inverse(j, j);
    min = std::min(min, 1 / (a * a * covariance(j, j)));
  }
  return min;
}

/// X A' for rows in panels.
Matrix times_transposed(const Matrix& x, const kernel::PackedMatrix& a) {
  using kernel::panel_rows;
  const Index d = x.columns();
  kernel::AlignedVector panel(at(d * panel_rows)),
      product(at(kernel::round_up(d, kernel::PackedMatrix::tile_rows) * panel_rows));
  Matrix result(x.rows(), d);
  for (Index first = 0; first < x.rows(); first += panel_rows) {
    const Index lanes = std::min(panel_rows, x.rows() - first);
    for (Index lane = 0; lane < lanes; ++lane) {
      for (Index j = 0; j < d; ++j) panel[at(j * panel_rows + lane)] = x(first + lane, j);
    }
    kernel::products(a, panel.data(), lanes, product.data());
    for (Index lane = 0; lane < lanes; ++lane) {
      for (Index j = 0; j < d; ++j) result(first + lane, j) = product[at(j * panel_rows + lane)];
    }
  }
  return result;
}

/// The largest entry of A (S' - S) A'.
double relative_change(const kernel::Factor& factor, const Matrix& before, const Matrix& after) {
  const auto a = kernel::PackedMatrix::lower(factor.inverse);
  const Index d = before.rows();
  Matrix step(d, d);
  for (Index i = 0; i < d; ++i) {
    for (Index j = 0; j < d; ++j) step(i, j) = after(i, j) - before(i, j);
  }
  const Matrix half = times_transposed(step, a);  // (S' - S) A'
  for (Index i = 0; i < d; ++i) {
    for (Index j = 0; j < d; ++j) step(i, j) = half(j, i);
  }
  double max = 0;
  const Matrix whole = times_transposed(step, a);
  for (Index i = 0; i < d; ++i) {
    for (const double entry : whole.row(i)) max = std::max(max, std::abs(entry));
  }
  return max;
}

double change_of_mean(Index k, Index j, const GaussianParameters& before,
                      const GaussianParameters& after) {
  return (after.means(k, j) - before.means(k, j)) + (after.mean_low(k, j) - before.mean_low(k, j));
}

double change_of_means(const kernel::Factor& factor, Index k, const GaussianParameters& before,
                       const GaussianParameters& after) {
  double square = 0;
  for (Index i = 0; i < factor.inverse.rows(); ++i) {
    double z = 0;
    for (Index j = 0; j <= i; ++j) z += factor.inverse(i, j) * change_of_mean(k, j, before, after);
    square += z * z;
  }
  return std::sqrt(square);
}

double change_of_full(const GaussianParameters& before, const GaussianParameters& after) {
  double max = 0;
  const Index covariances = std::ssize(after.covariances);
  for (Index c = 0; c < covariances; ++c) {
    const kernel::Factor factor = factor_of(after.covariances[at(c)]);
    max =
        std::max(max, relative_change(factor, before.covariances[at(c)], after.covariances[at(c)]));
    for (Index k = c; k < after.means.rows();
         k += covariances)  // all classes share a tied covariance
      max = std::max(max, change_of_means(factor, k, before, after));
  }
  return max;
}

double change_of_diagonal(const GaussianParameters& before, const GaussianParameters& after) {
  double max = 0;
  const bool shared = after.variances.rows() == 1;
  for (Index k = 0; k < after.means.rows(); ++k) {
    double square = 0;
    for (Index j = 0; j < after.means.columns(); ++j) {
      const double variance = after.variances(shared ? 0 : k, j);
      const double z = change_of_mean(k, j, before, after);
      square += z * z / variance;
      max = std::max(max, std::abs(before.variances(shared ? 0 : k, j) / variance - 1));
    }
    max = std::max(max, std::sqrt(square));
  }
  return max;
}

}  // namespace

double change_between(const GaussianParameters& before, const GaussianParameters& after) {
  return after.covariances.empty() ? change_of_diagonal(before, after)
                                   : change_of_full(before, after);
}

std::optional<std::size_t> gaussian_place(const BlockPlans& plans) {
  for (std::size_t b = 0; b < plans.size(); ++b)
    if (dynamic_cast<const GaussianPlan*>(plans[b].get())) return b;
  return std::nullopt;
}

const GaussianPlan& gaussian_plan(const BlockPlan& plan) {
  return static_cast<const GaussianPlan&>(plan);
}

const GaussianParameters& parameters_of(const Block& block) {
  return block_as<GaussianBlock>(block).parameters();
}

Block block_of(GaussianParameters parameters) { return GaussianBlock(std::move(parameters)); }

std::unique_ptr<BlockSums> GaussianPlan::no_sums() const {
  return std::make_unique<ComponentSums>(std::ssize(frame_.classes), frame_.scatter, frame_.units);
}

std::unique_ptr<BlockSums> GaussianPlan::read(const Statistics& statistics) const {
  const Statistics dense = sparse_ ? moments_of_sparse(statistics) : Statistics();
  return std::make_unique<ComponentSums>(
      moments_of(frame_, sums::sorted_classes(sparse_ ? dense : statistics)), frame_.scatter,
      frame_.units);
}

std::unique_ptr<BlockSums> GaussianPlan::take(Statistics& statistics) const {
  if (sparse_ || std::ssize(statistics.columns()) != frame_.dimension()) return read(statistics);
  std::vector<Moments> moments;
  for (const std::string& name : frame_.classes)
    moments.push_back(std::move(statistics.of_class(name).moments));
  return std::make_unique<ComponentSums>(std::move(moments), frame_.scatter, frame_.units);
}

Block GaussianPlan::estimate(const BlockSums& sums, const Estimating& how, Report& report) const {
  GaussianOptions options = options_;
  if (how.maximum_likelihood) options.divisor = Divisor::mle;
  GaussianInput input =
      pooled_gaussian_input(frame_, sums_as<ComponentSums>(sums).moments, options);
  input.sparse = sparse_;
  const GaussianExtras extras{how.fourth, {how.priors, frame_.variances}};
  return GaussianBlock(estimate_gaussian(input, options, extras, report));
}

double GaussianPlan::log_likelihood(const Block& block, const BlockSums& sums) const {
  return blocks::log_likelihood(block_as<GaussianBlock>(block),
                                sums_as<ComponentSums>(sums).moments);
}

double GaussianPlan::log_prior(const Block& block, std::span<const CollapsePrior> priors) const {
  double total = 0;
  const GaussianParameters& p = block_as<GaussianBlock>(block).parameters();
  for (std::size_t c = 0; c < priors.size(); ++c)
    total += blocks::log_prior(p.covariances[c], priors[c].rows, frame_.variances);
  return total;
}

double GaussianPlan::change(const Block& before, const Block& after) const {
  return change_between(block_as<GaussianBlock>(before).parameters(),
                        block_as<GaussianBlock>(after).parameters());
}

Block GaussianPlan::informed(Block block, std::span<const PatternWeight> rows) const {
  GaussianParameters p = block_as<GaussianBlock>(block).parameters();
  p.effective_counts = effective_counts(p, rows);
  if (p.effective_counts.empty()) return block;
  return GaussianBlock(std::move(p));
}

/// A hyperplane passes through any d rows in d columns. If no more rows are complete (within their
/// classes), a covariance that vanishes across this hyperplane makes the likelihood arbitrarily
/// large, since incomplete rows lie on no hyperplane that involves all columns.
std::vector<CollapsePrior> GaussianPlan::collapsing(const Block& block,
                                                    const BlockSums& complete_rows,
                                                    std::span<const double> labelled) const {
  const GaussianParameters& p = block_as<GaussianBlock>(block).parameters();
  if (options_.shrinkage.kind != Shrinkage::Kind::none || (options_.rda && options_.rda->gamma > 0))
    return {};
  const auto& complete = sums_as<ComponentSums>(complete_rows).moments;
  std::vector<CollapsePrior> found(p.covariances.size());
  for (std::size_t c = 0; c < found.size(); ++c) {
    Matrix scatter(frame_.dimension(), frame_.dimension());
    double freedom = 0, weight = 0, rows = 0;
    for (std::size_t k = 0; k < complete.size(); ++k) {
      if (found.size() > 1 && k != c) continue;
      rows += labelled[k];
      if (complete[k].weight == 0) continue;
      weight += complete[k].weight;
      freedom += complete[k].weight - 1;
      for (Index i = 0; i < scatter.rows(); ++i) {
        for (Index j = 0; j < scatter.columns(); ++j) scatter(i, j) += complete[k].scatter(i, j);
      }
    }
    if (poorly_observed(weight, rows, frame_.dimension())) {
      found[c].rows = weak_prior_rows;
      continue;
    }
    const bool certain = freedom < static_cast<double>(frame_.dimension());
    const bool collapsed =
        min_pivot(p.covariances[c]) < (certain ? certain_collapse : any_collapse);
    const bool shrunk = c < p.shrinkage.size() && p.shrinkage[c] > 0;
    if (collapsed) found[c].rows = weak_prior_rows;
    if (certain || !(collapsed || shrunk) || kernel::is_regular(scatter)) continue;
    const std::string whose = found.size() > 1 ? fmt::format("class '{}' ({})", frame_.classes[c],
                                                             counted(frame_.rows[c], "row"))
                                               : "all classes together";
    found[c] = prior_of_singular({whose, scatter}, complete, rows);
  }
  const auto none = [](const CollapsePrior& prior) { return prior.rows == 0; };
  if (std::ranges::all_of(found, none)) return {};
  return found;
}

CollapsePrior GaussianPlan::prior_of_singular(const SingularCase& found,
                                              const std::vector<Moments>& complete,
                                              double rows) const {
  const GaussianInput input = pooled_gaussian_input(frame_, complete, options_);
  if (options_.on_singular == OnSingular::error)
    throw singular_error(input, found, remedies_for(input, options_, {}));
  const auto enough = static_cast<double>(frame_.dimension());
  if (cause_of_singularity(found.covariance, enough) != SingularCause::dependent_columns)
    return {.rows = weak_prior_rows};
  return {.rows = dependent_shrinkage / (1 - dependent_shrinkage) * rows,
          .singular = singular_reason(input, found.covariance, enough)};
}

BlockPlans GaussianKind::plans(const PlanInput& input, Report& report) {
  BlockPlans plans;
  const GaussianOptions& options = input.recipe.gaussian;
  if (input.recipe.mixture || input.recipe.kernel || options.bayesian) return plans;
  const auto add = [&](const Statistics& statistics, bool sparse) {
    GaussianFrame frame =
        gaussian_frame(statistics, sums::sorted_classes(statistics), options, report);
    if (!frame.columns.empty())
      plans.push_back(std::make_unique<GaussianPlan>(std::move(frame), options, sparse));
  };
  if (!input.statistics.columns().empty()) add(input.statistics, false);
  if (input.statistics.schema().sparse_matrix && !input.recipe.discrete.sparse_counts)
    add(moments_of_sparse(input.statistics), true);
  return plans;
}

}  // namespace genera::blocks
