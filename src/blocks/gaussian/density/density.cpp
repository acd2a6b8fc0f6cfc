#include "blocks/gaussian/density/density.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "kernel/cholesky.hpp"
#include "kernel/normal.hpp"

namespace genera::detail {
namespace {

using kernel::PackedMatrix;

double variance(const GaussianParameters& p, Index k, Index j) {
  if (p.covariances.empty()) return p.variances(p.variances.rows() == 1 ? 0 : k, j);
  return p.covariances[p.covariances.size() == 1 ? 0 : static_cast<std::size_t>(k)](j, j);
}

std::vector<Index> natural_order(Index d) {
  std::vector<Index> order(static_cast<std::size_t>(d));
  std::iota(order.begin(), order.end(), Index{0});
  return order;
}

/// Columns by decreasing ratio of between-class to within-class variance.
std::vector<Index> separation_order(const GaussianParameters& p) {
  const Index classes = p.means.rows();
  const Index d = p.means.columns();
  Vector ratio(static_cast<std::size_t>(d));
  for (Index j = 0; j < d; ++j) {
    double mean = 0, within = 0, between = 0;
    for (Index k = 0; k < classes; ++k) {
      mean += p.means(k, j) / static_cast<double>(classes);
      within += variance(p, k, j);
    }
    for (Index k = 0; k < classes; ++k) between += std::pow(p.means(k, j) - mean, 2);
    ratio[static_cast<std::size_t>(j)] = between / within;
  }
  std::vector<Index> order = natural_order(d);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return ratio[static_cast<std::size_t>(a)] > ratio[static_cast<std::size_t>(b)];
  });
  return order;
}

kernel::Factor factorise_or_throw(const Matrix& covariance, std::span<const Index> order, Index k) {
  if (auto factor = kernel::factorise(covariance, order)) return *std::move(factor);
  throw Error(Errc::bad_model,
              fmt::format("the covariance of class {} is not positive definite", k + 1),
              "give a symmetric matrix with positive eigenvalues");
}

double log_constant(double log_det, Index d) {
  return -0.5 * (static_cast<double>(d) * kernel::log_two_pi + log_det);
}

/// A x for the lower triangular A of a factor.
Vector multiply(const Matrix& a, std::span<const double> x) {
  Vector result(x.size());
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j <= i; ++j)
      result[static_cast<std::size_t>(i)] += a(i, j) * x[static_cast<std::size_t>(j)];
  }
  return result;
}

Vector multiply_transposed(const Matrix& a, std::span<const double> x) {
  Vector result(x.size());
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j <= i; ++j)
      result[static_cast<std::size_t>(j)] += a(i, j) * x[static_cast<std::size_t>(i)];
  }
  return result;
}

double squared_norm(std::span<const double> x) {
  return std::inner_product(x.begin(), x.end(), x.begin(), 0.0);
}

/// If a mean is more standard deviations from zero, zero is a rare value.
constexpr double far_from_zero = 10;

/// Up to this squared distance of the whitened class means, linear scores have twelve digits.
constexpr double linear_is_exact_below = 1e4;

}  // namespace

GaussianDensity::GaussianDensity(const GaussianParameters& p)
    : structure_(p.covariances.empty()       ? Structure::diagonal
                 : p.covariances.size() == 1 ? Structure::shared
                                             : Structure::own),
      names_(p.columns),
      classes_(p.means.rows()),
      dimension_(p.means.columns()),
      order_(structure_ == Structure::own ? separation_order(p) : natural_order(dimension_)),
      means_(classes_, dimension_) {
  for (Index k = 0; k < classes_; ++k) {
    for (Index j = 0; j < dimension_; ++j)
      means_(k, j) = p.means(k, order_[static_cast<std::size_t>(j)]);
  }
  if (!p.means_low.empty()) {
    means_low_ = Matrix(classes_, dimension_);
    for (Index k = 0; k < classes_; ++k) {
      for (Index j = 0; j < dimension_; ++j)
        means_low_(k, j) = p.means_low(k, order_[static_cast<std::size_t>(j)]);
    }
  }
  if (structure_ == Structure::own) prepare_own(p);
  if (structure_ == Structure::shared) prepare_shared(p);
  if (structure_ == Structure::diagonal) prepare_diagonal(p);
}

void GaussianDensity::prepare_own(const GaussianParameters& p) {
  for (Index k = 0; k < classes_; ++k) {
    const kernel::Factor factor =
        factorise_or_throw(p.covariances[static_cast<std::size_t>(k)], order_, k);
    log_constants_.push_back(log_constant(factor.log_det, dimension_));
    factors_.push_back(PackedMatrix::lower(factor.inverse));
  }
}

void GaussianDensity::find_centre() {
  centre_.resize(static_cast<std::size_t>(dimension_));
  for (Index k = 0; k < classes_; ++k) {
    for (Index j = 0; j < dimension_; ++j)
      centre_[static_cast<std::size_t>(j)] += means_(k, j) / static_cast<double>(classes_);
  }
}

double GaussianDensity::from_centre(Index k, Index j) const {
  const double away = means_(k, j) - centre_[static_cast<std::size_t>(j)];
  return means_low_.empty() ? away : away + means_low_(k, j);
}

/// Around the centre c: log p(x | k) = const - |m_k|^2 / 2 + (x - c)' A' m_k, m_k = A (mean_k - c).
void GaussianDensity::prepare_linear(const Matrix& whitened, const Matrix& coefficients) {
  double farthest = 0;
  for (Index k = 0; k < classes_; ++k) {
    const double square = squared_norm(whitened.row(k));
    intercepts_.push_back(-0.5 * square);
    farthest = std::max(farthest, square);
  }
  coefficients_ = PackedMatrix::dense(coefficients);
  linear_is_exact_ = farthest <= linear_is_exact_below;
}

void GaussianDensity::prepare_shared(const GaussianParameters& p) {
  const kernel::Factor factor = factorise_or_throw(p.covariances.front(), order_, 0);
  factors_.push_back(PackedMatrix::lower(factor.inverse));
  log_constants_.assign(static_cast<std::size_t>(classes_),
                        log_constant(factor.log_det, dimension_));
  find_centre();
  Matrix whitened_means(classes_, dimension_);
  Matrix coefficients(classes_, dimension_);
  for (Index k = 0; k < classes_; ++k) {
    Vector away;
    for (Index j = 0; j < dimension_; ++j) away.push_back(from_centre(k, j));
    const Vector whitened = multiply(factor.inverse, away);
    std::copy(whitened.begin(), whitened.end(), whitened_means.row(k).begin());
    const Vector row = multiply_transposed(factor.inverse, whitened);
    std::copy(row.begin(), row.end(), coefficients.row(k).begin());
  }
  prepare_linear(whitened_means, coefficients);
  diagonals_ = kernel::PackedDiagonals(whitened_means, Matrix(classes_, dimension_, 1));
}

void GaussianDensity::prepare_diagonal(const GaussianParameters& p) {
  Matrix inverse_sds(classes_, dimension_);
  for (Index k = 0; k < classes_; ++k) {
    double log_det = 0;
    for (Index j = 0; j < dimension_; ++j) {
      const double v = variance(p, k, order_[static_cast<std::size_t>(j)]);
      if (!(v > 0) || !std::isfinite(v))
        throw Error(Errc::bad_model, fmt::format("a variance of class {} is {}", k + 1, v),
                    "give variances greater than 0");
      inverse_sds(k, j) = 1 / std::sqrt(v);
      log_det += std::log(v);
    }
    log_constants_.push_back(log_constant(log_det, dimension_));
  }
  diagonals_ = kernel::PackedDiagonals(means_, inverse_sds, means_low_);
  if (p.variances.rows() == 1 && classes_ > 1) prepare_shared_variances(inverse_sds);
  prepare_zeros(inverse_sds);
}

void GaussianDensity::prepare_shared_variances(const Matrix& inverse_sds) {
  find_centre();
  Matrix whitened(classes_, dimension_);
  Matrix coefficients(classes_, dimension_);
  for (Index k = 0; k < classes_; ++k) {
    for (Index j = 0; j < dimension_; ++j) {
      whitened(k, j) = from_centre(k, j) * inverse_sds(k, j);
      coefficients(k, j) = whitened(k, j) * inverse_sds(k, j);
    }
  }
  prepare_linear(whitened, coefficients);
}

void GaussianDensity::prepare_zeros(const Matrix& inverse_sds) {
  distances_of_zero_.resize(static_cast<std::size_t>(classes_));
  for (Index j = 0; j < dimension_; ++j) {
    double farthest = 0;
    for (Index k = 0; k < classes_; ++k)
      farthest = std::max(farthest, std::abs(means_(k, j) * inverse_sds(k, j)));
    if (farthest > far_from_zero) {
      far_columns_.push_back(j);
      continue;
    }
    for (Index k = 0; k < classes_; ++k)
      distances_of_zero_[static_cast<std::size_t>(k)] +=
          std::pow(means_(k, j) * inverse_sds(k, j), 2);
  }
}

Vector GaussianDensity::marginal_log_constants(Index tiles) const {
  const Index d = std::min(dimension_, tiles * PackedMatrix::tile_rows);
  Vector result;
  for (const PackedMatrix& factor : factors_) {
    double log_det = 0;
    for (Index i = 0; i < d; ++i) log_det -= 2 * std::log(factor.diagonal(i));
    result.push_back(log_constant(log_det, d));
  }
  return result;
}

const Precision* GaussianDensity::precision(const GaussianParameters& p, Index k) const {
  const std::size_t f = factors_.size() == 1 ? 0 : static_cast<std::size_t>(k);
  return precisions_.of(f, p.covariances[f], factors_[f], order_);
}

GaussianBlock::Linear GaussianDensity::linear(const GaussianParameters& p) const {
  const Index d = dimension_;
  GaussianBlock::Linear result{Vector(static_cast<std::size_t>(classes_)), Matrix(classes_, d)};
  const bool diagonal = p.covariances.empty();
  const Matrix inverse =
      diagonal ? Matrix() : kernel::factorise(p.covariances.front(), order_)->inverse;
  for (Index k = 0; k < classes_; ++k) {
    Vector row;  // covariance^-1 mean_k, in `order_`
    if (diagonal) {
      for (Index j = 0; j < d; ++j)
        row.push_back(means_(k, j) / variance(p, k, order_[static_cast<std::size_t>(j)]));
    } else {
      row = multiply_transposed(inverse, multiply(inverse, means_.row(k)));
    }
    double& intercept = result.intercepts[static_cast<std::size_t>(k)];
    for (Index j = 0; j < d; ++j) {
      result.coefficients(k, order_[static_cast<std::size_t>(j)]) =
          row[static_cast<std::size_t>(j)];
      intercept -= 0.5 * row[static_cast<std::size_t>(j)] * means_(k, j);
    }
  }
  return result;
}

}  // namespace genera::detail
