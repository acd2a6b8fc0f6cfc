#include "blocks/gaussian/missing/conditional.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernel/dot.hpp"
#include "kernel/gather.hpp"
#include "kernel/index.hpp"
#include "kernel/infinity.hpp"
#include "kernel/normal.hpp"
#include "kernel/substitution.hpp"

namespace genera::detail {
namespace {

using kernel::at;
using kernel::dot;

constexpr auto full_panel = static_cast<std::size_t>(kernel::panel_rows);

using kernel::infinity;

/// With fewer columns, factorising is fast, and the factor whitens sixteen rows at a time.
constexpr std::size_t many_columns = 32;

/// Infinity minus infinity after an overflow is an infinite distance.
void not_negative(double* squares) {
  for (std::size_t lane = 0; lane < full_panel; ++lane)
    squares[lane] = squares[lane] == squares[lane] ? squares[lane] : infinity;
}

}  // namespace

GaussianConditional::GaussianConditional(const GaussianParameters& parameters,
                                         const GaussianDensity* density)
    : parameters_(parameters),
      density_(density),
      precisions_(parameters.covariances.size()),
      order_(at(parameters.means.columns())),
      is_observed_(order_.size()),
      made_(at(diagonal() ? parameters.variances.rows() : std::ssize(parameters.covariances))),
      log_constants_(at(parameters.means.rows())),
      z_(at(kernel::round_up(parameters.means.columns(), kernel::PackedMatrix::tile_rows)) *
         full_panel),
      completed_(order_.size() * full_panel),
      row_(order_.size()),
      ordered_(order_.size()),
      rest_(order_.size()),
      whitened_(shared() ? parameters.means.rows() : 0, parameters.means.columns()) {
  for (std::size_t f = 0; f < precisions_.size(); ++f) {
    factors_.push_back(std::make_unique_for_overwrite<double[]>(order_.size() * order_.size()));
    if (density && order_.size() >= many_columns)
      precisions_[f] = density->precision(parameters, static_cast<Index>(f));
  }
}

double GaussianConditional::variance(Index k, Index column) const {
  const Matrix& variances = parameters_.variances;
  return variances(variances.rows() == 1 ? 0 : k, column);
}

void GaussianConditional::order_columns(std::span<const Index> columns) {
  std::fill(is_observed_.begin(), is_observed_.end(), 0);
  for (const Index column : columns) is_observed_[at(column)] = 1;
  auto to = std::copy(columns.begin(), columns.end(), order_.begin());
  for (std::size_t j = 0; j < is_observed_.size(); ++j) {
    if (!is_observed_[j]) *to++ = static_cast<Index>(j);
  }
  observed_ = columns.size();
  by_rest_ = !diagonal() && order_.size() >= many_columns && 2 * observed_ >= order_.size();
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
    // The whole matrix is positive definite: after rounding, pivots are at least this.
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
  means_whitened_ = false;
  std::fill(made_.begin(), made_.end(), Made::nothing);
}

void GaussianConditional::prepare(Index k) noexcept {
  const std::size_t f = covariance_of(k);
  const Made wanted = need_ == Need::rest ? Made::rest : Made::marginal;
  if (made_[f] >= wanted) return;
  made_[f] = wanted;
  if (const Precision* known = precision(k)) {
    const std::size_t d = order_.size();
    const double log_rest =
        factor_of_rest(known->inverse, missing(), factors_[f].get() + observed_ * d + observed_, d);
    made_[f] = Made::rest;
    log_constants_[f] = density_->log_constants()[at(k)] +
                        0.5 * static_cast<double>(d - observed_) * kernel::log_two_pi + log_rest;
  } else {
    double log_det = 0;
    if (diagonal()) {
      for (std::size_t i = 0; i < observed_; ++i) log_det += std::log(variance(k, order_[i]));
    } else {
      const std::size_t rows = need_ == Need::rest ? order_.size() : observed_;
      log_det = factorise(parameters_.covariances[f], rows, factors_[f].get());
    }
    log_constants_[f] = -0.5 * (static_cast<double>(observed_) * kernel::log_two_pi + log_det);
  }
  if (shared()) std::fill(log_constants_.begin(), log_constants_.end(), log_constants_.front());
}

void GaussianConditional::whiten(Index k, const double* panel, Index lanes) {
  prepare(k);
  if (!precision(k)) return whiten_observed(k, panel);
  for (Index lane = 0; lane < lanes; ++lane) {
    complete(k, panel, lane);
    for (std::size_t c = 0; c < ordered_.size(); ++c)
      completed_[c * full_panel + at(lane)] = ordered_[c];
  }
  kernel::products(density_->whitening(k), completed_.data(), lanes, z_.data());
}

void GaussianConditional::whiten_observed(Index k, const double* panel) {
  for (std::size_t i = 0; i < observed_; ++i) {
    const double* x = panel + at(order_[i]) * full_panel;
    const double mean = parameters_.means(k, order_[i]);
    const double low = parameters_.mean_low(k, order_[i]);
    double* z = z_.data() + i * full_panel;
    for (std::size_t lane = 0; lane < full_panel; ++lane) z[lane] = (mean - x[lane]) + low;
    if (!diagonal()) continue;
    const double scale = -1 / std::sqrt(variance(k, order_[i]));
    for (std::size_t lane = 0; lane < full_panel; ++lane) z[lane] *= scale;
  }
  if (!diagonal())
    kernel::substitute(factor(k), std::ssize(order_), static_cast<Index>(observed_), z_.data());
}

void GaussianConditional::complete(Index k, const double* panel, Index lane) {
  for (const Index j : observed())
    row_[at(j)] = (panel[j * kernel::panel_rows + lane] - parameters_.means(k, j)) -
                  parameters_.mean_low(k, j);
  complete_row(k);
}

/// x_m = -L_mm L_mm' P_mo x_o
void GaussianConditional::complete_row(Index k) {
  const Matrix& inverse = precision(k)->inverse;
  const std::size_t d = order_.size(), m = d - observed_;
  const double* lower = factor(k) + observed_ * d + observed_;
  for (const Index j : missing()) row_[at(j)] = 0;
  kernel::row_products(inverse, missing(), row_.data(), rest_.data());
  for (std::size_t i = 0; i < m; ++i) {  // L' in place: row i adds to the rows before it
    const double own = rest_[i];
    for (std::size_t j = 0; j < i; ++j) rest_[j] += lower[i * d + j] * own;
    rest_[i] = lower[i * d + i] * own;
  }
  for (std::size_t i = 0; i < m; ++i)
    row_[at(missing()[i])] = -dot(lower + i * d, rest_.data(), i + 1);
  for (std::size_t c = 0; c < d; ++c) ordered_[c] = row_[at(density_->order()[c])];
}

void GaussianConditional::write_rest(Index k, Index lane, double* panel) const {
  for (const Index j : missing())
    panel[j * kernel::panel_rows + lane] = parameters_.means(k, j) + row_[at(j)];
}

void GaussianConditional::whiten_means() {
  if (means_whitened_) return;
  means_whitened_ = true;
  prepare(0);
  const std::size_t d = order_.size();
  for (Index k = 1; k < whitened_.rows(); ++k) {
    const auto away = [&](Index j) {
      return (parameters_.means(k, j) - parameters_.means(0, j)) +
             (parameters_.mean_low(k, j) - parameters_.mean_low(0, j));
    };
    const std::span<double> z = whitened_.row(k);
    if (precision(0)) {
      for (const Index j : observed()) row_[at(j)] = away(j);
      complete_row(0);
      for (std::size_t c = 0; c < d; ++c) completed_[c * full_panel] = ordered_[c];
      kernel::products(density_->whitening(0), completed_.data(), 1, z_.data());
      for (std::size_t i = 0; i < d; ++i) z[i] = z_[i * full_panel];
      continue;
    }
    for (std::size_t i = 0; i < observed_; ++i) {
      const double* row = diagonal() ? nullptr : factor(0) + i * d;
      z[i] = diagonal() ? away(order_[i]) / std::sqrt(variance(0, order_[i]))
                        : (away(order_[i]) - dot(row, z.data(), i)) / row[i];
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

void GaussianConditional::distances(Index k, const double* panel, double* squares,
                                    Index lanes) noexcept {
  whiten(k, panel, lanes);
  std::fill_n(squares, full_panel, 0.0);
  for (std::size_t i = 0; i < z_length(k); ++i) {
    for (std::size_t lane = 0; lane < full_panel; ++lane) {
      const double z = z_[i * full_panel + lane];
      squares[lane] += z * z;
    }
  }
  not_negative(squares);
}

void GaussianConditional::linear_scores(const double* panel, double* scores, Index lanes) noexcept {
  whiten_means();
  whiten(0, panel, lanes);
  bool finite[full_panel];
  std::fill_n(finite, full_panel, true);
  for (std::size_t k = 0; k < log_constants_.size(); ++k) {
    double sums[full_panel] = {};
    double square = 0;
    for (std::size_t i = 0; i < z_length(0); ++i) {
      const double mean = whitened_(static_cast<Index>(k), static_cast<Index>(i));
      square += mean * mean;
      for (std::size_t lane = 0; lane < full_panel; ++lane)
        sums[lane] += z_[i * full_panel + lane] * mean;
    }
    for (std::size_t lane = 0; lane < full_panel; ++lane) {
      scores[k * full_panel + lane] = sums[lane] - 0.5 * square;
      finite[lane] = finite[lane] && std::isfinite(sums[lane]);
    }
  }
  for (std::size_t k = 0; k < log_constants_.size(); ++k) {
    for (std::size_t lane = 0; lane < full_panel; ++lane)
      if (!finite[lane]) scores[k * full_panel + lane] = -infinity;
  }
}

void GaussianConditional::all_distances(const double* panel, double* squares,
                                        Index lanes) noexcept {
  const auto classes = static_cast<Index>(log_constants_.size());
  if (factors_.size() != 1) {
    for (Index k = 0; k < classes; ++k) distances(k, panel, squares + at(k) * full_panel, lanes);
    return;
  }
  whiten_means();
  whiten(0, panel, lanes);
  for (Index k = 0; k < classes; ++k) {
    double sums[full_panel] = {};
    for (std::size_t i = 0; i < z_length(0); ++i) {
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

void GaussianConditional::expect_rest(Index k, double* panel) const {
  const std::size_t d = order_.size();
  for (std::size_t i = observed_; i < d; ++i) {
    double* x = panel + at(order_[i]) * full_panel;
    std::fill_n(x, full_panel, parameters_.means(k, order_[i]));
    if (!diagonal()) add_product(factor(k) + i * d, observed_, z_.data(), x);
  }
}

void GaussianConditional::fill(Index k, double* panel, double* squares, Index lanes) noexcept {
  prepare(k);
  if (const Precision* known = precision(k)) {
    std::fill_n(squares, full_panel, 0.0);
    for (Index lane = 0; lane < lanes; ++lane) {
      complete(k, panel, lane);
      squares[lane] = kernel::squared_product(known->whitening, ordered_.data(), z_.data());
      write_rest(k, lane, panel);
    }
    not_negative(squares);
    return;
  }
  distances(k, panel, squares, lanes);
  expect_rest(k, panel);
}

void GaussianConditional::draw(Index k, double* panel, Index lanes) noexcept {
  const std::size_t d = order_.size();
  prepare(k);
  if (!precision(k)) whiten_observed(k, panel);
  double* normals = z_.data() + observed_ * full_panel;
  for (std::size_t i = observed_; i < d; ++i)
    std::copy_n(panel + at(order_[i]) * full_panel, full_panel, z_.data() + i * full_panel);
  if (precision(k)) {
    for (Index lane = 0; lane < lanes; ++lane) {
      complete(k, panel, lane);
      write_rest(k, lane, panel);
    }
  } else {
    expect_rest(k, panel);
  }
  for (std::size_t i = observed_; i < d; ++i) {
    double* x = panel + at(order_[i]) * full_panel;
    if (diagonal()) {
      const double sd = std::sqrt(variance(k, order_[i]));
      add_product(&sd, 1, z_.data() + i * full_panel, x);
    } else {
      add_product(factor(k) + i * d + observed_, i + 1 - observed_, normals, x);
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
