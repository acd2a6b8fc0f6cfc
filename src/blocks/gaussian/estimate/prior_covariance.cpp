#include "blocks/gaussian/estimate/prior_covariance.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/cholesky.hpp"
#include "kernel/index.hpp"
#include "kernel/infinity.hpp"
#include "kernel/log_factorial.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

/// With two rows, the density of a class with a single row has a finite mean.
constexpr double min_rows = 2;

Vector rows_to_compare(const BayesianOptions& options, Index dimension) {
  if (options.prior_rows) return {*options.prior_rows};
  Vector rows;
  for (const double each : {0.1, 0.5, 2.0, 8.0})
    rows.push_back(std::max(min_rows, each * static_cast<double>(dimension)));
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

Vector gammas_to_compare(const BayesianOptions& options) {
  return options.prior_gamma ? Vector{*options.prior_gamma} : Vector{0.1, 0.4, 1};
}

/// P; a column that is constant within every class has the variance of the input.
Matrix pooled_covariance(const GaussianInput& input) {
  const Index d = input.dimension();
  const double n = input.total_count();
  Matrix pooled(d, d);
  for (const Matrix& scatter : input.scatter) {
    for (Index i = 0; i < d; ++i) {
      for (Index j = 0; j < d; ++j) pooled(i, j) += scatter(i, j) / n;
    }
  }
  for (const Index j : input.constant_within) pooled(j, j) = input.pooled_variance[at(j)];
  return pooled;
}

CovariancePrior prior_of(const Matrix& pooled, double rows, double gamma) {
  CovariancePrior prior{rows, gamma, pooled};
  for (Index i = 0; i < pooled.rows(); ++i) {
    for (Index j = 0; j < pooled.columns(); ++j) {
      if (i != j) prior.covariance(i, j) *= 1 - gamma;
    }
  }
  return prior;
}

/// log Gamma_d(a) without the power of pi.
double log_multigamma(double a, Index d) {
  double sum = 0;
  for (Index i = 0; i < d; ++i) sum += kernel::log_factorial(a - static_cast<double>(i) / 2 - 1);
  return sum;
}

/// log p(rows of all classes | prior), up to a term that is the same for every prior; -inf if the
/// prior is singular.
double log_evidence(const GaussianInput& input, const CovariancePrior& prior) {
  const Index d = input.dimension();
  const auto factor = kernel::factorise(prior.covariance);
  if (!factor) return -kernel::infinity;
  const auto columns = static_cast<double>(d);
  const double degrees = prior.rows + columns;
  double sum = 0;
  for (std::size_t k = 0; k < input.counts.size(); ++k) {
    const double n = input.counts[k], later = degrees + n - 1;
    const auto posterior = kernel::factorise(prior.posterior_centre(input.scatter[k], n));
    if (!posterior) return -kernel::infinity;
    sum += degrees / 2 * (factor->log_det + columns * std::log(prior.rows)) -
           later / 2 * (posterior->log_det + columns * std::log(prior.rows + n)) +
           log_multigamma(later / 2, d) - log_multigamma(degrees / 2, d);
  }
  return sum;
}

}  // namespace

Matrix CovariancePrior::posterior_centre(const Matrix& scatter, double n) const {
  Matrix centre = covariance;
  for (Index i = 0; i < centre.rows(); ++i) {
    for (Index j = 0; j < centre.columns(); ++j)
      centre(i, j) = (rows * centre(i, j) + scatter(i, j)) / (rows + n);
  }
  return centre;
}

Index prior_choices(const BayesianOptions& options) {
  return std::ssize(rows_to_compare(options, 1000)) * std::ssize(gammas_to_compare(options));
}

CovariancePrior chosen_prior(const GaussianInput& input, const BayesianOptions& options) {
  const Vector rows = rows_to_compare(options, input.dimension());
  const Vector gammas = gammas_to_compare(options);
  const Matrix pooled = pooled_covariance(input);
  CovariancePrior best = prior_of(pooled, rows.front(), gammas.front());
  if (rows.size() * gammas.size() == 1) return best;
  double highest = -kernel::infinity;
  for (const double nu : rows) {
    for (const double gamma : gammas) {
      CovariancePrior prior = prior_of(pooled, nu, gamma);
      const double evidence = log_evidence(input, prior);
      if (!(evidence > highest)) continue;
      highest = evidence;
      best = std::move(prior);
    }
  }
  return best;
}

}  // namespace genera::blocks
