#include "blocks/gaussian/evidence.hpp"

#include <cmath>
#include <numeric>

#include "blocks/gaussian/density.hpp"
#include "kernel/cholesky.hpp"
#include "kernel/index.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

}  // namespace

GaussianEvidence::GaussianEvidence(const GaussianBlock& block) : block_(&block) {
  std::vector<Index> order(at(block.dimension()));
  std::iota(order.begin(), order.end(), Index{0});
  for (const Matrix& covariance : block.parameters().covariances)
    inverse_factors_.push_back(kernel::factorise(covariance, order)->inverse);
}

double GaussianEvidence::base(Pair pair) const {
  const Vector& constants = block_->density().log_constants();
  return constants[at(pair.best)] - constants[at(pair.second)];
}

/// covariance_k^-1 y = A' A y.
Vector GaussianEvidence::solve(Index k, const Vector& y) const {
  const Matrix& a = inverse_factors_[inverse_factors_.size() == 1 ? 0 : at(k)];
  Vector result(y.size());
  for (Index i = 0; i < a.rows(); ++i) {
    double product = 0;
    for (Index j = 0; j <= i; ++j) product += a(i, j) * y[at(j)];
    for (Index j = 0; j <= i; ++j) result[at(j)] += a(i, j) * product;
  }
  return result;
}

/// y_j (covariance_k^-1 y)_j of column j where the inverse itself overflows: columns of tiny units.
double GaussianEvidence::square_share(Index k, const Vector& y, Index column) const {
  const GaussianParameters& p = block_->parameters();
  if (block_->diagonal()) {
    const double z =
        y[at(column)] / std::sqrt(p.variances(p.variances.rows() == 1 ? 0 : k, column));
    return z * z;
  }
  const Matrix& a = inverse_factors_[inverse_factors_.size() == 1 ? 0 : at(k)];
  double share = 0;
  for (Index i = column; i < a.rows(); ++i) {
    double product = 0;
    for (Index j = 0; j <= i; ++j) product += a(i, j) * y[at(j)];
    share += a(i, column) * y[at(column)] * product;
  }
  return share;
}

/// Of the columns in -D^2_k / 2.
Vector GaussianEvidence::quadratic_shares(const Vector& x, Index k) const {
  const GaussianParameters& p = block_->parameters();
  Vector y(x.size());
  for (std::size_t j = 0; j < x.size(); ++j) {
    const auto column = static_cast<Index>(j);
    y[j] = (x[j] - p.means(k, column)) - p.mean_low(k, column);
  }
  const Vector z = block_->diagonal() ? Vector() : solve(k, y);
  Vector share(x.size());
  for (std::size_t j = 0; j < x.size(); ++j) {
    const auto column = static_cast<Index>(j);
    const double scaled =
        block_->diagonal() ? y[j] / p.variances(p.variances.rows() == 1 ? 0 : k, column) : z[j];
    share[j] = -0.5 * (std::isfinite(scaled) ? y[j] * scaled : square_share(k, y, column));
  }
  return share;
}

Vector GaussianEvidence::linear_shares(const Vector& x, Pair pair) const {
  const GaussianParameters& p = block_->parameters();
  Vector difference(x.size());
  for (std::size_t j = 0; j < x.size(); ++j) {
    const auto column = static_cast<Index>(j);
    difference[j] = (p.means(pair.best, column) - p.means(pair.second, column)) +
                    (p.mean_low(pair.best, column) - p.mean_low(pair.second, column));
  }
  Vector share = solve(0, difference);  // the coefficients
  for (std::size_t j = 0; j < x.size(); ++j) {
    const auto column = static_cast<Index>(j);
    const double middle = std::midpoint(p.means(pair.best, column), p.means(pair.second, column));
    const double low =
        std::midpoint(p.mean_low(pair.best, column), p.mean_low(pair.second, column));
    share[j] = ((x[j] - middle) - low) * share[j];
  }
  return share;
}

Vector GaussianEvidence::shares(const Vector& x, Pair pair) const {
  if (block_->shared() && !block_->diagonal()) return linear_shares(x, pair);
  Vector shares = quadratic_shares(x, pair.best);
  const Vector second = quadratic_shares(x, pair.second);
  for (std::size_t j = 0; j < x.size(); ++j) shares[j] -= second[j];
  return shares;
}

}  // namespace genera::blocks
