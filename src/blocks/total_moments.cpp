#include "blocks/total_moments.hpp"

#include <utility>

#include "kernel/index.hpp"

namespace genera::blocks {
namespace {

using kernel::at;
using Moments = BlockDescription::Moments;

/// The means of all parts side by side, K x d.
Matrix all_means(std::span<const Moments> parts) {
  Index d = 0;
  for (const Moments& part : parts) d += part.means.columns();
  Matrix means(parts.front().means.rows(), d);
  Index before = 0;
  for (const Moments& part : parts) {
    for (Index k = 0; k < means.rows(); ++k) {
      for (Index j = 0; j < part.means.columns(); ++j) means(k, before + j) = part.means(k, j);
    }
    before += part.means.columns();
  }
  return means;
}

void add_covariance(const CovarianceMatrix& covariance, double weight, Index before, Matrix& to) {
  if (const auto* diagonal = std::get_if<Diagonal>(&covariance)) {
    for (Index j = 0; j < std::ssize(diagonal->entries); ++j)
      to(before + j, before + j) += weight * diagonal->entries[at(j)];
    return;
  }
  const Matrix& full = std::get<Matrix>(covariance);
  for (Index i = 0; i < full.rows(); ++i) {
    for (Index j = 0; j < full.columns(); ++j) to(before + i, before + j) += weight * full(i, j);
  }
}

/// Relative to the first mean, so that means far from zero lose no digits.
Vector mean_of(std::span<const double> weights, const Matrix& means) {
  Vector mean(means.row(0).begin(), means.row(0).end());
  for (Index j = 0; j < means.columns(); ++j) {
    double away = 0;
    for (Index k = 0; k < means.rows(); ++k) away += weights[at(k)] * (means(k, j) - means(0, j));
    mean[at(j)] += away;
  }
  return mean;
}

}  // namespace

TotalMoments total_moments(std::span<const double> weights, std::span<const Moments> parts) {
  Matrix means = all_means(parts);
  const Index d = means.columns();
  TotalMoments total{mean_of(weights, means), Matrix(d, d), {}, Matrix(d, d)};
  Vector away(at(d));
  for (Index k = 0; k < means.rows(); ++k) {
    for (Index j = 0; j < d; ++j) away[at(j)] = means(k, j) - total.mean[at(j)];
    for (Index i = 0; i < d; ++i) {
      for (Index j = 0; j < d; ++j)
        total.covariance(i, j) += weights[at(k)] * (away[at(i)] * away[at(j)]);
    }
    Index before = 0;
    for (const Moments& part : parts) {
      const auto& own = part.covariances;
      const CovarianceMatrix& covariance = own[own.size() == 1 ? 0 : at(k)];
      add_covariance(covariance, weights[at(k)], before, total.covariance);
      add_covariance(covariance, weights[at(k)], before, total.within);
      before += part.means.columns();
    }
  }
  total.means = std::move(means);
  return total;
}

}  // namespace genera::blocks
