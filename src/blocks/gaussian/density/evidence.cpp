#include "blocks/gaussian/density/evidence.hpp"

#include <cmath>
#include <numeric>

#include "blocks/gaussian/estimate/likelihood.hpp"
#include "kernel/index.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

}  // namespace

GaussianEvidence::GaussianEvidence(const GaussianParameters& parameters)
    : parameters_(&parameters), factors_(parameters.covariances.size()) {}

const kernel::Factor& GaussianEvidence::factor(Index k) {
  const std::size_t c = factors_.size() == 1 ? 0 : at(k);
  if (!factors_[c]) factors_[c] = factor_of(parameters_->covariances[c]);
  return *factors_[c];
}

double GaussianEvidence::variance(Index k, Index column) const {
  return parameters_->variances(parameters_->variances.rows() == 1 ? 0 : k, column);
}

double GaussianEvidence::log_det(Index k) {
  if (!factors_.empty()) return factor(k).log_det;
  double sum = 0;
  for (Index j = 0; j < parameters_->means.columns(); ++j) sum += std::log(variance(k, j));
  return sum;
}

bool GaussianEvidence::is_shared() const {
  return factors_.size() == 1 || parameters_->variances.rows() == 1;
}

double GaussianEvidence::base(Pair pair) {
  return is_shared() ? 0 : -0.5 * (log_det(pair.best) - log_det(pair.second));
}

/// covariance_k^-1 y = A' A y.
Vector GaussianEvidence::solve(Index k, const Vector& y) {
  const Matrix& a = factor(k).inverse;
  Vector result(y.size());
  for (Index i = 0; i < a.rows(); ++i) {
    double product = 0;
    for (Index j = 0; j <= i; ++j) product += a(i, j) * y[at(j)];
    for (Index j = 0; j <= i; ++j) result[at(j)] += a(i, j) * product;
  }
  return result;
}

/// y_j (covariance_k^-1 y)_j if the inverse overflows, as with columns in tiny units.
double GaussianEvidence::square_share(Index k, const Vector& y, Index column) {
  if (factors_.empty()) {
    const double z = y[at(column)] / std::sqrt(variance(k, column));
    return z * z;
  }
  const Matrix& a = factor(k).inverse;
  double share = 0;
  for (Index i = column; i < a.rows(); ++i) {
    double product = 0;
    for (Index j = 0; j <= i; ++j) product += a(i, j) * y[at(j)];
    share += a(i, column) * y[at(column)] * product;
  }
  return share;
}

Vector GaussianEvidence::quadratic_shares(const Vector& x, Index k) {
  const GaussianParameters& p = *parameters_;
  Vector y(x.size());
  for (std::size_t j = 0; j < x.size(); ++j) {
    const auto column = static_cast<Index>(j);
    y[j] = (x[j] - p.means(k, column)) - p.mean_low(k, column);
  }
  const Vector z = factors_.empty() ? Vector() : solve(k, y);
  Vector share(x.size());
  for (std::size_t j = 0; j < x.size(); ++j) {
    const auto column = static_cast<Index>(j);
    const double scaled = z.empty() ? y[j] / variance(k, column) : z[j];
    share[j] = -0.5 * (std::isfinite(scaled) ? y[j] * scaled : square_share(k, y, column));
  }
  return share;
}

Vector GaussianEvidence::linear_shares(const Vector& x, Pair pair) {
  const GaussianParameters& p = *parameters_;
  Vector difference(x.size());
  for (std::size_t j = 0; j < x.size(); ++j) {
    const auto column = static_cast<Index>(j);
    difference[j] = (p.means(pair.best, column) - p.means(pair.second, column)) +
                    (p.mean_low(pair.best, column) - p.mean_low(pair.second, column));
  }
  Vector share = factors_.empty() ? difference : solve(0, difference);  // the coefficients
  for (std::size_t j = 0; j < x.size(); ++j) {
    const auto column = static_cast<Index>(j);
    if (factors_.empty()) share[j] /= variance(0, column);
    const double middle = std::midpoint(p.means(pair.best, column), p.means(pair.second, column));
    const double low =
        std::midpoint(p.mean_low(pair.best, column), p.mean_low(pair.second, column));
    share[j] = ((x[j] - middle) - low) * share[j];
  }
  return share;
}

Vector GaussianEvidence::shares(const Vector& x, Pair pair) {
  if (is_shared()) return linear_shares(x, pair);
  Vector shares = quadratic_shares(x, pair.best);
  const Vector second = quadratic_shares(x, pair.second);
  for (std::size_t j = 0; j < x.size(); ++j) shares[j] -= second[j];
  return shares;
}

}  // namespace genera::blocks
