#include "blocks/gaussian/estimate/likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "blocks/gaussian/density/density.hpp"
#include "blocks/gaussian/estimate/sums.hpp"
#include "kernel/dense.hpp"
#include "kernel/index.hpp"
#include "kernel/infinity.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

/// Relative difference below which entries are equal.
constexpr double same_entry = 1e-13;

Vector shift_of(const GaussianParameters& p, Index k, const Moments& moments) {
  Vector shift(moments.mean.size());
  for (std::size_t j = 0; j < shift.size(); ++j) {
    const auto column = static_cast<Index>(j);
    shift[j] =
        (moments.mean[j] - p.means(k, column)) + (moments.mean_low[j] - p.mean_low(k, column));
  }
  return shift;
}

/// c with M = c S, if it exists: if S was estimated from M without shrinkage.
std::optional<double> multiple_of(const Matrix& s, const Matrix& m) {
  const double c = m(0, 0) / s(0, 0);
  Vector sds;
  for (Index i = 0; i < s.rows(); ++i) {
    sds.push_back(std::sqrt(s(i, i)));
    const double* entries = s.row(i).data();
    const double* multiples = m.row(i).data();
    const double limit = same_entry * c * sds.back();
    bool same = true;
    for (Index j = 0; j <= i; ++j)
      same = same && std::abs(multiples[j] - c * entries[j]) <= limit * sds[at(j)];
    if (!same) return std::nullopt;
  }
  return c;
}

/// A full covariance, factorised when first needed.
class FullCovariance {
 public:
  explicit FullCovariance(const Matrix& covariance) : covariance_(&covariance) {}

  /// x' S^-1 x
  double square(const Vector& x) {
    bool shows = false;  // exceeds the rounding of the means
    for (std::size_t j = 0; j < x.size(); ++j) {
      const auto column = static_cast<Index>(j);
      shows = shows || std::isnan(x[j]) ||
              low_part_shows(x[j], std::sqrt((*covariance_)(column, column)));
    }
    if (!shows) return 0;
    double sum = 0;
    for (Index i = 0; i < covariance_->rows(); ++i) {
      double z = 0;
      for (Index j = 0; j <= i; ++j) z += factor().inverse(i, j) * x[at(j)];
      sum += z * z;
    }
    return sum;
  }
  /// tr(S^-1 M)
  double trace(const Matrix& m) {
    const auto c = multiple_of(*covariance_, m);
    return c ? *c * static_cast<double>(m.rows()) : trace_of(factor(), m);
  }

 private:
  const kernel::Factor& factor() {
    if (!factor_) factor_ = factor_of(*covariance_);
    return *factor_;
  }
  const Matrix* covariance_;
  std::optional<kernel::Factor> factor_;
};

double of_full(const GaussianBlock& block, std::span<const Moments> moments) {
  const GaussianParameters& p = block.parameters();
  const Index d = block.dimension(), covariances = std::ssize(p.covariances);
  double total = 0;
  for (Index c = 0; c < covariances; ++c) {
    FullCovariance covariance(p.covariances[at(c)]);
    Matrix scatter(d, d);
    double weight = 0;
    for (Index k = c; k < block.classes();
         k += covariances) {  // all classes share a tied covariance
      const Moments& own = moments[at(k)];
      if (own.weight == 0) continue;
      weight += own.weight;
      total += own.weight * (block.density().log_constants()[at(k)] -
                             0.5 * covariance.square(shift_of(p, k, own)));
      std::transform(scatter.data(), scatter.data() + d * d, own.scatter.data(), scatter.data(),
                     std::plus<>());
    }
    if (weight > 0) total -= 0.5 * covariance.trace(scatter);
  }
  return total;
}

double of_diagonal(const GaussianBlock& block, std::span<const Moments> moments) {
  const GaussianParameters& p = block.parameters();
  double total = 0;
  for (Index k = 0; k < block.classes(); ++k) {
    const Moments& own = moments[at(k)];
    if (own.weight == 0) continue;
    const bool full = own.scatter.rows() == block.dimension();
    const Vector shift = shift_of(p, k, own);
    double squares = 0;
    for (Index j = 0; j < block.dimension(); ++j) {
      const double scatter = own.scatter(full ? j : 0, j);
      squares += (scatter + own.weight * shift[at(j)] * shift[at(j)]) /
                 p.variances(p.variances.rows() == 1 ? 0 : k, j);
    }
    total += own.weight * block.density().log_constants()[at(k)] - 0.5 * squares;
  }
  return total;
}

}  // namespace

kernel::Factor factor_of(const Matrix& covariance) {
  if (auto factor = kernel::factorise(covariance)) return *std::move(factor);
  return {Matrix(covariance.rows(), covariance.rows()), kernel::infinity};
}

double trace_of(const kernel::Factor& factor, const Matrix& m) {
  const Matrix& a = factor.inverse;
  const Index d = a.rows();
  double trace = 0;
  if (m.rows() == 1 && d > 1) {
    for (Index j = 0; j < d; ++j) {
      for (Index i = j; i < d; ++i) trace += a(i, j) * a(i, j) * m(0, j);
    }
    return trace;
  }
  // Eigen sees row-major matrices as their transposes: this is M A', and its column i is M a_i.
  using Map = Eigen::Map<const Eigen::MatrixXd>;
  const Eigen::MatrixXd product = kernel::product(Map(m.data(), d, d), Map(a.data(), d, d));
  for (Index i = 0; i < d; ++i) {
    for (Index j = 0; j <= i; ++j) trace += product(j, i) * a(i, j);
  }
  return trace;
}

double log_prior(const Matrix& covariance, double rows, const Vector& variances) {
  if (rows == 0) return 0;
  const kernel::Factor factor = factor_of(covariance);
  const Matrix diagonal(1, std::ssize(variances), variances);
  return -0.5 * rows * (factor.log_det + trace_of(factor, diagonal));
}

double log_likelihood(const GaussianBlock& block, std::span<const Moments> moments) {
  return block.diagonal() ? of_diagonal(block, moments) : of_full(block, moments);
}

}  // namespace genera::blocks
