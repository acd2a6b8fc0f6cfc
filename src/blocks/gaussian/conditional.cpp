#include "blocks/gaussian/conditional.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "kernel/gather.hpp"
#include "kernel/index.hpp"
#include "kernel/infinity.hpp"

namespace genera::detail {
namespace {

using kernel::at;

constexpr auto full_panel = static_cast<std::size_t>(kernel::panel_rows);

using kernel::infinity;

/// An overflow to infinity minus infinity is still infinitely far.
void not_negative(double* squares) {
  for (std::size_t lane = 0; lane < full_panel; ++lane)
    squares[lane] = squares[lane] == squares[lane] ? squares[lane] : infinity;
}

/// In four sums, which do not wait for each other.
double dot(const double* a, const double* b, std::size_t count) {
  double sums[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    for (std::size_t s = 0; s < 4; ++s) sums[s] += a[i + s] * b[i + s];
  }
  for (; i < count; ++i) sums[0] += a[i] * b[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

GaussianConditional::GaussianConditional(const GaussianParameters& parameters)
    : parameters_(parameters),
      order_(at(parameters.means.columns())),
      is_observed_(order_.size()),
      factors_(parameters.covariances.size(), kernel::AlignedVector(order_.size() * order_.size())),
      made_(at(diagonal() ? parameters.variances.rows() : std::ssize(parameters.covariances))),
      log_constants_(at(parameters.means.rows())),
      z_(order_.size() * full_panel),
      whitened_(shared() ? parameters.means.rows() : 0, parameters.means.columns()) {}

double GaussianConditional::variance(Index k, Index column) const {
  const Matrix& variances = parameters_.variances;
  return variances(variances.rows() == 1 ? 0 : k, column);
}

const double* GaussianConditional::factor(Index k) const {
  return factors_[factors_.size() == 1 ? 0 : at(k)].data();
}

void GaussianConditional::order_columns(std::span<const Index> columns) {
  std::fill(is_observed_.begin(), is_observed_.end(), 0);
  for (const Index column : columns) is_observed_[at(column)] = 1;
  auto to = std::copy(columns.begin(), columns.end(), order_.begin());
  for (std::size_t j = 0; j < is_observed_.size(); ++j) {
    if (!is_observed_[j]) *to++ = static_cast<Index>(j);
  }
  observed_ = columns.size();
}

double GaussianConditional::factorise(const Matrix& covariance, std::size_t rows,
                                      double* to) const {
  const std::size_t d = order_.size();
  double log_det = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    double* row = to + i * d;
    for (std::size_t j = 0; j < i; ++j) {
      const double* other = to + j * d;
      row[j] = (covariance(order_[i], order_[j]) - dot(row, other, j)) / other[j];
    }
    const double variance = covariance(order_[i], order_[i]);
    // The whole matrix is positive definite: what rounding left is at least this.
    const double pivot =
        std::max(variance - dot(row, row, i), std::numeric_limits<double>::epsilon() * variance);
    row[i] = std::sqrt(pivot);
    if (i < observed_) log_det += std::log(pivot);
  }
  return log_det;
}

void GaussianConditional::observe(std::span<const Index> columns, Need need) noexcept {
  const bool same = ready_ && std::equal(columns.begin(), columns.end(), order_.begin(),
                                         order_.begin() + static_cast<Index>(observed_));
  need_ = need;
  if (same) return;
  order_columns(columns);
  ready_ = true;
  std::fill(made_.begin(), made_.end(), Made::nothing);
}

void GaussianConditional::prepare(Index k) noexcept {
  const std::size_t f = shared() ? 0 : at(k);
  const Made wanted = need_ == Need::rest ? Made::rest : Made::marginal;
  if (made_[f] >= wanted) return;
  made_[f] = wanted;
  const double constant = static_cast<double>(observed_) * std::log(2 * std::numbers::pi);
  double log_det = 0;
  if (diagonal()) {
    for (std::size_t i = 0; i < observed_; ++i) log_det += std::log(variance(k, order_[i]));
  } else {
    const std::size_t rows = need_ == Need::rest ? order_.size() : observed_;
    log_det = factorise(parameters_.covariances[f], rows, factors_[f].data());
  }
  log_constants_[f] = -0.5 * (constant + log_det);
  if (!shared()) return;
  std::fill(log_constants_.begin(), log_constants_.end(), log_constants_.front());
  whiten_means();
}

void GaussianConditional::whiten(Index k, const double* panel) {
  prepare(k);
  const std::size_t d = order_.size();
  for (std::size_t i = 0; i < observed_; ++i) {
    const double* x = panel + at(order_[i]) * full_panel;
    const double mean = parameters_.means(k, order_[i]);
    const double low = parameters_.mean_low(k, order_[i]);
    double* z = z_.data() + i * full_panel;
    for (std::size_t lane = 0; lane < full_panel; ++lane) z[lane] = (mean - x[lane]) + low;
    if (!diagonal()) add_product(factor(k) + i * d, i, z_.data(), z);
    const double scale =
        diagonal() ? -1 / std::sqrt(variance(k, order_[i])) : -1 / factor(k)[i * d + i];
    for (std::size_t lane = 0; lane < full_panel; ++lane) z[lane] *= scale;
  }
}

void GaussianConditional::whiten_means() {
  const std::size_t d = order_.size();
  for (Index k = 1; k < whitened_.rows(); ++k) {
    const std::span<double> z = whitened_.row(k);
    for (std::size_t i = 0; i < observed_; ++i) {
      const double away = (parameters_.means(k, order_[i]) - parameters_.means(0, order_[i])) +
                          (parameters_.mean_low(k, order_[i]) - parameters_.mean_low(0, order_[i]));
      const double* row = diagonal() ? nullptr : factor(0) + i * d;
      z[i] = diagonal() ? away / std::sqrt(variance(0, order_[i]))
                        : (away - dot(row, z.data(), i)) / row[i];
    }
  }
}

void GaussianConditional::add_product(const double* row, std::size_t count, const double* by,
                                      double* to) const {
  double sums[full_panel];
  std::copy_n(to, full_panel, sums);
  for (std::size_t t = 0; t < count; ++t) {
    for (std::size_t lane = 0; lane < full_panel; ++lane)
      sums[lane] += row[t] * by[t * full_panel + lane];
  }
  std::copy_n(sums, full_panel, to);
}

void GaussianConditional::distances(Index k, const double* panel, double* squares) noexcept {
  whiten(k, panel);
  std::fill_n(squares, full_panel, 0.0);
  for (std::size_t i = 0; i < observed_; ++i) {
    for (std::size_t lane = 0; lane < full_panel; ++lane) {
      const double z = z_[i * full_panel + lane];
      squares[lane] += z * z;
    }
  }
  not_negative(squares);
}

void GaussianConditional::linear_scores(const double* panel, double* scores) noexcept {
  whiten(0, panel);
  double norms[full_panel] = {};
  for (std::size_t i = 0; i < observed_; ++i) {
    for (std::size_t lane = 0; lane < full_panel; ++lane)
      norms[lane] += z_[i * full_panel + lane] * z_[i * full_panel + lane];
  }
  for (std::size_t k = 0; k < log_constants_.size(); ++k) {
    double sums[full_panel] = {};
    double square = 0;
    for (std::size_t i = 0; i < observed_; ++i) {
      const double mean = whitened_(static_cast<Index>(k), static_cast<Index>(i));
      square += mean * mean;
      for (std::size_t lane = 0; lane < full_panel; ++lane)
        sums[lane] += z_[i * full_panel + lane] * mean;
    }
    for (std::size_t lane = 0; lane < full_panel; ++lane)
      scores[k * full_panel + lane] =
          norms[lane] < infinity ? sums[lane] - 0.5 * square : -infinity;
  }
}

void GaussianConditional::all_distances(const double* panel, double* squares) noexcept {
  const auto classes = static_cast<Index>(log_constants_.size());
  if (factors_.size() != 1) {
    for (Index k = 0; k < classes; ++k) distances(k, panel, squares + at(k) * full_panel);
    return;
  }
  whiten(0, panel);
  for (Index k = 0; k < classes; ++k) {
    double sums[full_panel] = {};
    for (std::size_t i = 0; i < observed_; ++i) {
      const double mean = whitened_(k, static_cast<Index>(i));
      for (std::size_t lane = 0; lane < full_panel; ++lane) {
        const double z = z_[i * full_panel + lane] - mean;
        sums[lane] += z * z;
      }
    }
    not_negative(sums);
    std::copy_n(sums, full_panel, squares + at(k) * full_panel);
  }
}

void GaussianConditional::fill(Index k, double* panel, double* squares) noexcept {
  distances(k, panel, squares);
  const std::size_t d = order_.size();
  for (std::size_t i = observed_; i < d; ++i) {
    double* x = panel + at(order_[i]) * full_panel;
    std::fill_n(x, full_panel, parameters_.means(k, order_[i]));
    if (!diagonal()) add_product(factor(k) + i * d, observed_, z_.data(), x);
  }
}

void GaussianConditional::draw(Index k, double* panel) noexcept {
  whiten(k, panel);
  const std::size_t d = order_.size();
  for (std::size_t i = observed_; i < d; ++i)
    std::copy_n(panel + at(order_[i]) * full_panel, full_panel, z_.data() + i * full_panel);
  for (std::size_t i = observed_; i < d; ++i) {
    double* x = panel + at(order_[i]) * full_panel;
    std::fill_n(x, full_panel, parameters_.means(k, order_[i]));
    if (diagonal()) {
      const double sd = std::sqrt(variance(k, order_[i]));
      add_product(&sd, 1, z_.data() + i * full_panel, x);
    } else {
      add_product(factor(k) + i * d, i + 1, z_.data(), x);
    }
  }
}

void GaussianConditional::add_covariance(Index k, double weight, Matrix& scatter) noexcept {
  prepare(k);
  const std::size_t d = order_.size();
  const bool full = scatter.rows() == static_cast<Index>(d);
  for (std::size_t i = observed_; i < d; ++i) {
    if (diagonal() || !full) {
      const double* row = diagonal() ? nullptr : factor(k) + i * d + observed_;
      const double own = diagonal() ? variance(k, order_[i]) : dot(row, row, i + 1 - observed_);
      scatter(full ? order_[i] : 0, order_[i]) += weight * own;
      continue;
    }
    for (std::size_t j = observed_; j <= i; ++j) {
      const double product = weight * dot(factor(k) + i * d + observed_,
                                          factor(k) + j * d + observed_, j + 1 - observed_);
      scatter(order_[i], order_[j]) += product;
      if (i != j) scatter(order_[j], order_[i]) += product;
    }
  }
}

}  // namespace genera::detail
