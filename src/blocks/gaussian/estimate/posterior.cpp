// Normal-inverse-Wishart posterior with the prior p(mean, S) ~ |S|^-(d+1)/2.
#include "blocks/gaussian/estimate/posterior.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <boost/random/gamma_distribution.hpp>

#include "blocks/gaussian/missing/information.hpp"
#include "kernel/cholesky.hpp"
#include "kernel/double_double.hpp"
#include "kernel/index.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

double chi_square(double degrees, Rng& rng) {
  return boost::random::gamma_distribution<double>(degrees / 2, 2)(rng);
}

/// The information about a covariance: scatter = divisor times the estimate, and its degrees of
/// freedom.
struct Knowledge {
  double degrees;
  double divisor;
};

/// For column j of a diagonal covariance; -1: all columns.
Knowledge knowledge_of(const GaussianParameters& p, Index k, Index j = -1) {
  double all = 0;
  for (Index c = 0; c < std::ssize(p.counts); ++c) all += effective_count(p, c, j);
  const double own = effective_count(p, k, j);
  const auto classes = static_cast<double>(p.counts.size());
  const bool shared = (p.covariances.empty() ? p.variances.rows() : std::ssize(p.covariances)) == 1;
  // The weight of the class's own covariance in rda; a single class has nothing to share.
  const double alpha = shared ? 0 : p.rda ? p.rda->alpha : 1;
  const double degrees = alpha * (own - 1) + (1 - alpha) * (all - classes);
  const double divisor = alpha * own + (1 - alpha) * all;
  return {degrees + p.variance_prior, (p.unbiased ? degrees : divisor) + p.variance_prior};
}

/// Raises the degrees of freedom to the minimum of this size; the estimate stays the same.
Knowledge at_least(Knowledge known, double degrees) {
  return known.degrees >= degrees ? known : Knowledge{degrees, degrees};
}

/// M with M M' drawn from the inverse Wishart distribution with scatter C C'. Bartlett's
/// decomposition: M A' = C with A lower triangular, chi on its diagonal and normals below.
Matrix draw_factor(const Matrix& covariance, Knowledge known, Rng& rng) {
  const Index d = covariance.rows();
  Matrix m = kernel::lower_factor(covariance);
  Matrix a(d, d);
  for (Index i = 0; i < d; ++i) {
    for (Index j = 0; j < i; ++j) a(i, j) = rng.normal();
    a(i, i) = std::sqrt(chi_square(known.degrees - static_cast<double>(i), rng));
  }
  const double scale = std::sqrt(known.divisor);
  for (Index i = 0; i < d; ++i) {
    for (Index j = 0; j < d; ++j) {
      double value = j <= i ? scale * m(i, j) : 0;
      for (Index t = 0; t < j; ++t) value -= m(i, t) * a(j, t);
      m(i, j) = value / a(j, j);
    }
  }
  return m;
}

Matrix square(const Matrix& factor) {
  const Index d = factor.rows();
  Matrix s(d, d);
  for (Index i = 0; i < d; ++i) {
    for (Index j = 0; j <= i; ++j)
      s(i, j) = s(j, i) = std::inner_product(factor.row(i).begin(), factor.row(i).end(),
                                             factor.row(j).begin(), 0.0);
  }
  return s;
}

void draw_full(GaussianParameters& p, Rng& rng) {
  const Index d = p.means.columns(), classes = p.means.rows();
  std::vector<Matrix> factors;
  for (std::size_t f = 0; f < p.covariances.size(); ++f) {
    const Knowledge known =
        at_least(knowledge_of(p, static_cast<Index>(f)), static_cast<double>(d));
    const Matrix estimate = p.covariances[f];
    factors.emplace_back();
    for (int tries = 0; tries < 100;
         ++tries) {  // with few degrees of freedom, some draws are singular
      factors.back() = draw_factor(estimate, known, rng);
      p.covariances[f] = square(factors.back());
      if (kernel::is_regular(p.covariances[f])) break;
    }
  }
  for (Index k = 0; k < classes; ++k) {
    const Matrix& factor = factors[factors.size() == 1 ? 0 : at(k)];
    Vector z;
    for (Index j = 0; j < d; ++j) z.push_back(rng.normal() / std::sqrt(effective_count(p, k, -1)));
    for (Index j = 0; j < d; ++j)
      p.means(k, j) += std::inner_product(z.begin(), z.end(), factor.row(j).begin(), 0.0);
  }
}

/// Variances from scaled inverse chi-square; spherical ones share one draw over all columns.
void draw_diagonal(GaussianParameters& p, Rng& rng) {
  const bool one = is_spherical(p.structure);
  const Index d = p.means.columns();
  for (Index f = 0; f < p.variances.rows(); ++f) {
    Knowledge known = at_least(knowledge_of(p, f, one ? -1 : 0), 1);
    if (one)
      known = {known.degrees * static_cast<double>(d), known.divisor * static_cast<double>(d)};
    double factor = known.divisor / chi_square(known.degrees, rng);
    for (Index j = 0; j < d; ++j) {
      if (!one) known = at_least(knowledge_of(p, f, j), 1);
      if (!one && j > 0) factor = known.divisor / chi_square(known.degrees, rng);
      p.variances(f, j) *= factor;
    }
  }
  for (Index k = 0; k < p.means.rows(); ++k) {
    for (Index j = 0; j < d; ++j)
      p.means(k, j) += rng.normal() * std::sqrt(p.variances(p.variances.rows() == 1 ? 0 : k, j) /
                                                effective_count(p, k, j));
  }
}

}  // namespace

GaussianParameters draw_gaussian(const GaussianParameters& estimated, Rng& rng) {
  GaussianParameters drawn = estimated;
  if (drawn.covariances.empty())
    draw_diagonal(drawn, rng);
  else
    draw_full(drawn, rng);
  for (Index k = 0; k < drawn.means_low.rows(); ++k) {  // the draws have no low parts
    for (Index j = 0; j < drawn.means_low.columns(); ++j) {
      const kernel::HighLow mean = kernel::two_sum(drawn.means(k, j), drawn.means_low(k, j));
      drawn.means(k, j) = mean.high;
      drawn.means_low(k, j) = mean.low;
    }
  }
  return drawn;
}

}  // namespace genera::blocks
