#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <span>

#include "blocks/gaussian/estimate/estimate.hpp"
#include "blocks/leave_one_out.hpp"
#include "kernel/cholesky.hpp"
#include "kernel/index.hpp"
#include "kernel/normal.hpp"

/// Gaussian densities without one row. Leaving x out of class c with weight w moves its mean by
/// -w d / (n_c - w), d = x - mean, and subtracts w n_c / (n_c - w) d d' from its scatter and the
/// pooled one.
namespace genera::blocks {

[[nodiscard]] inline double diagonal_of(const Matrix& scatter, Index j) {
  return scatter(scatter.rows() > 1 ? j : 0, j);
}

[[nodiscard]] inline std::optional<kernel::Factor> regular_factor(const Matrix& s) {
  return kernel::is_regular(s) ? kernel::factorise(s) : std::nullopt;
}

/// A z, A lower triangular.
inline void times_lower(const Matrix& a, std::span<const double> z, std::span<double> to) {
  for (Index i = 0; i < a.rows(); ++i) {
    const double* row = a.row(i).data();
    double sum = 0;
    for (Index j = 0; j <= i; ++j) sum += row[j] * z[kernel::at(j)];
    to[kernel::at(i)] = sum;
  }
}

[[nodiscard]] inline double inner(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// The effect of leaving a row out.
struct LeftOutChange {
  double rho = 0;     // n_c / (n_c - w)
  double rank = 0;    // w rho: d d' times this is subtracted from the scatter
  double a = 0;       // divisor of the class
  double b = 0;       // divisor of all
  double rest = 0;    // N - w
  double weight = 0;  // w
};

/// The data shared by all methods.
struct LeftOutGaussian {
  GaussianOptions options;
  GaussianInput input;
  Matrix means_low;  // K x d, added to the means
  data::NumberColumns columns;
  Vector within, total, mean;  // d: sums of squares within classes and in total, grand mean
  double unbiased = 0;         // u

  [[nodiscard]] Index dimension() const { return input.dimension(); }
  [[nodiscard]] Index classes() const { return std::ssize(input.counts); }

  /// x - mean_k
  void residual(const double* x, Index k, std::span<double> to) const {
    for (Index j = 0; j < dimension(); ++j)
      to[kernel::at(j)] = (x[j] - input.means(k, j)) - means_low(k, j);
  }

  /// Empty if no rows of the class or of the data would remain.
  [[nodiscard]] std::optional<LeftOutChange> change_by(const OneRow& one) const {
    const double n = input.counts[kernel::at(one.of_class)], w = one.weight;
    const double all = input.total_count();
    if (vanishes(n - w, n)) return std::nullopt;
    LeftOutChange change{n / (n - w),      w * n / (n - w),
                         n - w - unbiased, all - w - unbiased * static_cast<double>(classes()),
                         all - w,          w};
    if (!(change.a > 0) || !(change.b > 0)) return std::nullopt;
    return change;
  }

  /// The remaining statistics of a column: its part of the scatter of the class, the pooled
  /// variance, and the variance around the grand mean.
  struct Left {
    double gone, pooled, total;
  };
  [[nodiscard]] Left left_of(Index j, const LeftOutChange& change, double x, double delta) const {
    const double gone = change.rank * delta * delta, off = x - mean[kernel::at(j)];
    const double all = change.rest + change.weight;
    return {gone, (within[kernel::at(j)] - gone) / change.b,
            (total[kernel::at(j)] - change.weight * all / change.rest * off * off) / change.rest};
  }

  /// Whether enough of the variances remains that no digits are lost, and no column is constant.
  [[nodiscard]] bool enough_is_left(const OneRow& one, const LeftOutChange& change, const double* x,
                                    std::span<const double> delta) const {
    const bool own = !is_tied(options.covariance);
    const double all = change.rest + one.weight;
    for (Index j = 0; j < dimension(); ++j) {
      const double gone = change.rank * delta[kernel::at(j)] * delta[kernel::at(j)];
      const double off = x[j] - mean[kernel::at(j)];
      if (within[kernel::at(j)] - gone < min_remaining_share * within[kernel::at(j)]) return false;
      if (total[kernel::at(j)] - one.weight * all / change.rest * off * off <
          min_remaining_share * total[kernel::at(j)])
        return false;
      const double mine = diagonal_of(input.scatter[kernel::at(one.of_class)], j);
      if (own && mine > 0 && mine - gone < min_remaining_share * mine) return false;
    }
    return true;
  }
};

using SharedLeftOut = std::shared_ptr<const LeftOutGaussian>;

/// Scratch memory of one thread: the remaining statistics of a row and its class, for all methods.
class GaussianLeftOutWorker : public LeaveOneOutWorker {
 public:
  explicit GaussianLeftOutWorker(SharedLeftOut of)
      : of_(std::move(of)), x_(kernel::at(of_->dimension())), delta_(x_.size()), r_(x_.size()) {}

  bool add(const OneRow& one, std::span<double> scores) final {
    const std::optional<LeftOutChange> change = of_->change_by(one);
    if (!change) return false;
    of_->columns.gather_rows({&one.row, 1}, of_->dimension(), x_.data());
    of_->residual(x_.data(), one.of_class, delta_);
    return add(one, *change, scores);
  }

 protected:
  virtual bool add(const OneRow& one, const LeftOutChange& change, std::span<double> scores) = 0;

  [[nodiscard]] bool enough_is_left(const OneRow& one, const LeftOutChange& change) const {
    return of_->enough_is_left(one, change, x_.data(), delta_);
  }
  /// x - mean_k relative to the remaining rows.
  std::span<const double> residual(Index k, const OneRow& one, const LeftOutChange& change) {
    if (k != one.of_class) {
      of_->residual(x_.data(), k, r_);
      return r_;
    }
    for (std::size_t j = 0; j < r_.size(); ++j) r_[j] = change.rho * delta_[j];
    return r_;
  }
  /// Adds log N(r; 0, diag(variances)).
  template <class Variance>
  void add_diagonal(std::span<const double> r, Variance variance, double& score) const {
    double sum = 0;
    for (std::size_t j = 0; j < r.size(); ++j) {
      const double v = variance(static_cast<Index>(j));
      sum += kernel::log_two_pi + std::log(v) + r[j] * r[j] / v;
    }
    score -= sum / 2;
  }

  SharedLeftOut of_;
  Vector x_, delta_, r_;
};

/// Full covariances without shrinkage, alpha S_k + (1 - alpha) S, from factors of those of all
/// rows, for rows of these weights. Null if one is singular.
[[nodiscard]] std::unique_ptr<const LeaveOneOut> left_out_by_factors(
    SharedLeftOut of, std::span<const double> weights);
/// rda with gamma 1: the covariance equals its target.
[[nodiscard]] std::unique_ptr<const LeaveOneOut> left_out_of_target(SharedLeftOut of,
                                                                    double operations);
/// All other cases: estimates from the remaining sums. `operations`: cost per row.
[[nodiscard]] std::unique_ptr<const LeaveOneOut> left_out_by_estimate(SharedLeftOut of,
                                                                      double operations);

}  // namespace genera::blocks
