#include "fit/linear/newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>

#include "kernel/cholesky.hpp"
#include "kernel/index.hpp"
#include "kernel/progress.hpp"

namespace genera::fit_detail {
namespace {

using kernel::at;

/// This many rows per coefficient approximate the full Hessian well.
constexpr Index rows_per_coefficient = 10, min_sample = 2000;

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
double norm(const Vector& a) { return std::sqrt(dot(a, a)); }

/// Probabilities do not change if the same number is added to the coefficients of all classes.
void sum_to_zero(Vector& x, Index classes) {
  for (auto first = x.begin(); first != x.end(); first += classes) {
    const double mean = std::accumulate(first, first + classes, 0.0) / static_cast<double>(classes);
    std::for_each(first, first + classes, [&](double& value) { value -= mean; });
  }
}

/// The loss plus its penalty, which is added once, not per partition.
class PenalisedLoss {
 public:
  PenalisedLoss(SoftmaxLoss& loss, double ridge)
      : loss_(loss), classes_(at(loss.shape().classes)), ridge_(ridge) {}

  [[nodiscard]] const SoftmaxShape& shape() const { return loss_.shape(); }
  [[nodiscard]] Index size() const { return loss_.size(); }
  [[nodiscard]] double ridge() const { return ridge_; }
  [[nodiscard]] const SoftmaxLoss& rows() const { return loss_; }

  double evaluate(const Vector& x, Vector& gradient) {
    double value = loss_.evaluate(x, gradient);
    for (std::size_t i = classes_; i < x.size(); ++i) {
      value += 0.5 * ridge_ * x[i] * x[i];
      gradient[i] += ridge_ * x[i];
    }
    return value;
  }

  void hessian_product(const Vector& along, Vector& out) const {
    loss_.hessian_product(along, out);
    for (std::size_t i = classes_; i < along.size(); ++i) out[i] += ridge_ * along[i];
  }

  [[nodiscard]] Vector hessian_diagonal() const {
    Vector diagonal = loss_.hessian_diagonal();
    for (std::size_t i = classes_; i < diagonal.size(); ++i) diagonal[i] += ridge_;
    return diagonal;
  }

  /// The lower triangle of the Hessian over every `step`-th row, scaled to the weight of all rows
  /// and made definite in the directions that change no probability.
  [[nodiscard]] Matrix definite_hessian(Index step) const {
    SampledHessian sample = loss_.hessian(step);
    const double scale = sample.weight > 0 ? shape().weight() / sample.weight : 0;
    Matrix all = std::move(sample.sums);
    for (Index i = 0; i < size(); ++i) {
      for (Index j = 0; j <= i; ++j)
        all(i, j) = scale * all(i, j) + (i == j && at(i) >= classes_ ? ridge_ : 0);
    }
    const Index classes = shape().classes;
    for (Index j = 0; j < shape().columns; ++j) {
      double mean = 0;
      for (Index k = 0; k < classes; ++k) mean += all(j * classes + k, j * classes + k);
      mean = mean > 0 ? mean / static_cast<double>(classes) : 1;
      for (Index k = 0; k < classes; ++k) {
        for (Index l = 0; l <= k; ++l)
          all(j * classes + k, j * classes + l) += mean / static_cast<double>(classes);
      }
    }
    return all;
  }

 private:
  SoftmaxLoss& loss_;
  std::size_t classes_;
  double ridge_;
};

class Preconditioner {
 public:
  explicit Preconditioner(const PenalisedLoss& loss) : loss_(loss) {
    const Index rows = loss.shape().rows;
    if (loss.size() > max_factored) return;
    sample_ = std::min(rows, std::max(min_sample, rows_per_coefficient * loss.size()));
    if (2 * sample_ > rows) sample_ = rows;
  }

  /// Recomputes the preconditioner once conjugate gradients have cost as much since the last time.
  void refresh() {
    if (made_ && steps_ < patience()) return;
    steps_ = 0;
    made_ = true;
    if (sample_ == 0)
      diagonal_ = loss_.hessian_diagonal();
    else
      factor();
  }
  void count_step() { ++steps_; }

  void apply(Vector& r) const {
    if (solver_) {
      solver_->solve(r);
      return;
    }
    for (std::size_t i = 0; i < r.size(); ++i) r[i] /= diagonal_[i] > 0 ? diagonal_[i] : 1;
  }

 private:
  [[nodiscard]] Index patience() const {
    if (sample_ == 0) return 4;
    const Index rows = loss_.shape().rows;
    const Index as_costly = sample_ * loss_.size() / (4 * rows);
    return std::max<Index>(sample_ == rows ? 1 : 12, as_costly);
  }

  void factor() {
    const Index rows = loss_.shape().rows;
    const Matrix all = loss_.definite_hessian(std::max<Index>(1, (rows + sample_ - 1) / sample_));
    double jitter = 0;
    constexpr int max_attempts = 8;
    for (int attempt = 0; attempt < max_attempts; ++attempt) {
      Matrix tried = all;
      for (Index i = 0; i < tried.rows(); ++i) {
        tried(i, i) += jitter * all(i, i) + (all(i, i) > 0 ? 0 : 1);
      }
      solver_ = kernel::Solver::of(std::move(tried));
      if (solver_) return;
      jitter = jitter == 0 ? 1e-12 : 100 * jitter;
    }
    diagonal_ = loss_.hessian_diagonal();
  }

  const PenalisedLoss& loss_;
  Index sample_ = 0;  // rows; 0: only the diagonal
  Index steps_ = 0;
  bool made_ = false;
  std::optional<kernel::Solver> solver_;
  Vector diagonal_;
};

class Newton {
 public:
  Newton(SoftmaxLoss& loss, const LogisticOptions& options, const Control& control)
      : loss_(loss, options.ridge),
        classes_(loss.shape().classes),
        tolerance_(options.tolerance),
        meter_(control, Progress::Task::iterating),
        preconditioner_(loss_) {}

  Minimum run(int max_iterations) {
    start();
    while (!done() && result_.iterations < max_iterations) {
      meter_.advance(1);
      if (!step()) break;
      ++result_.iterations;
    }
    result_.converged = done();
    if (loss_.ridge() == 0 && classes_ > 1 && all_separated()) result_.unbounded = true;
    result_.gradient = reference_ > 0 ? norm(gradient_) / reference_ : 0;
    result_.value = value_;
    result_.at = std::move(at_);
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool done() const { return norm(gradient_) <= target_; }

  /// Whether every row has a probability above 1/2 for its class.
  [[nodiscard]] bool all_separated() const {
    return value_ < std::numbers::ln2 * loss_.shape().min_weight;
  }

  double evaluate(const Vector& x, Vector& gradient) {
    const double value = loss_.evaluate(x, gradient);
    sum_to_zero(gradient, classes_);  // removes rounding errors
    return value;
  }

  void start() {
    const SoftmaxShape& shape = loss_.shape();
    at_.assign(at(loss_.size()), 0.0);
    for (Index k = 0; k < classes_; ++k)
      at_[at(k)] = std::log(shape.class_weights[at(k)] / shape.weight());
    sum_to_zero(at_, classes_);
    value_ = evaluate(at_, gradient_);
    reference_ = norm(gradient_);
    target_ = std::max(tolerance_ * reference_, rounding());
    if (!done()) start_from_lda();
  }

  /// The norm of a zero gradient after rounding.
  [[nodiscard]] double rounding() const {
    return 8 * std::numeric_limits<double>::epsilon() * loss_.shape().weight() *
           std::sqrt(static_cast<double>(loss_.size()));
  }

  /// K x d, from the gradient at the log priors, which is minus the class sums of centred columns.
  [[nodiscard]] Matrix class_means(Index d) const {
    Matrix means(classes_, d);
    for (Index k = 0; k < classes_; ++k) {
      const double n = loss_.shape().class_weights[at(k)];
      for (Index j = 0; j < d; ++j) means(k, j) = -gradient_[at((j + 1) * classes_ + k)] / n;
    }
    return means;
  }

  [[nodiscard]] Matrix pooled_covariance(const Matrix& means) const {
    const SoftmaxShape& shape = loss_.shape();
    const Index d = means.columns();
    Matrix covariance = loss_.rows().number_scatter();
    for (Index k = 0; k < classes_; ++k) {
      const double n = shape.class_weights[at(k)];
      for (Index i = 0; i < d; ++i) {
        for (Index j = 0; j < d; ++j) covariance(i, j) -= n * means(k, i) * means(k, j);
      }
    }
    for (Index i = 0; i < d; ++i) {
      for (Index j = 0; j < d; ++j) covariance(i, j) /= shape.weight();
    }
    return covariance;
  }

  /// Starts at the LDA solution of the numbers if its loss is lower.
  void start_from_lda() {
    const Index d = loss_.shape().numbers;
    if (d == 0 || d > max_lda_columns || classes_ < 2) return;
    const Matrix means = class_means(d);
    Matrix covariance = pooled_covariance(means);
    if (!kernel::is_regular(covariance)) return;
    const auto solver = kernel::Solver::of(std::move(covariance));
    if (!solver) return;
    Vector guess = at_;
    for (Index k = 0; k < classes_; ++k) {
      Vector beta(means.row(k).begin(), means.row(k).end());
      solver->solve(beta);
      for (Index j = 0; j < d; ++j) {
        guess[at((j + 1) * classes_ + k)] = beta[at(j)];
        guess[at(k)] -= 0.5 * beta[at(j)] * means(k, j);
      }
    }
    sum_to_zero(guess, classes_);
    Vector gradient;
    const double value = evaluate(guess, gradient);
    if (value < value_) {
      at_ = std::move(guess);
      gradient_ = std::move(gradient);
      value_ = value;
    } else {
      value_ = evaluate(at_, gradient_);  // Hessians refer to the last point
    }
  }

  /// Returns false if no step lowers the loss by more than its rounding error.
  bool step() {
    preconditioner_.refresh();
    const Vector along = direction();
    const double slope = dot(gradient_, along);
    if (!(slope < 0)) return false;
    constexpr int max_halvings = 40;
    constexpr double enough = 1e-4, rounding_of_value = 1e-13;
    const double before = norm(gradient_);
    double t = 1;
    for (int halving = 0; halving < max_halvings; ++halving, t /= 2) {
      Vector next(at_.size()), gradient;
      for (std::size_t i = 0; i < next.size(); ++i) next[i] = at_[i] + t * along[i];
      const double value = evaluate(next, gradient);
      const bool flat = -t * slope < 1e3 * rounding_of_value * std::abs(value_);
      const bool down = value <= value_ + enough * t * slope;
      const bool level =
          flat && value <= value_ + rounding_of_value * std::abs(value_) && norm(gradient) < before;
      if (!down && !level) continue;
      if (loss_.ridge() == 0) result_.unbounded = loss_.rows().largest_change(along) * t > 0.05;
      at_ = std::move(next);
      gradient_ = std::move(gradient);
      value_ = value;
      return true;
    }
    value_ = evaluate(at_, gradient_);
    return false;
  }

  /// Solves Hessian times direction = -gradient, more exactly the closer the minimum is.
  Vector direction() {
    const double size = norm(gradient_);
    const double exactness =
        std::max(0.3 * target_ / size, std::min(0.1, std::sqrt(size / reference_)));
    Vector x(at_.size()), r(at_.size()), product;
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = -gradient_[i];
    Vector z = preconditioned(r);
    Vector p = z;
    double rz = dot(r, z);
    constexpr int max_steps = 500;
    for (int i = 0; i < max_steps && norm(r) > exactness * size; ++i) {
      meter_.pause();
      loss_.hessian_product(p, product);
      preconditioner_.count_step();
      const double bend = dot(p, product);
      if (!(bend > 0)) break;
      const double step = rz / bend;
      for (std::size_t j = 0; j < x.size(); ++j) {
        x[j] += step * p[j];
        r[j] -= step * product[j];
      }
      z = preconditioned(r);
      const double next = dot(r, z);
      const double turn = next / rz;
      rz = next;
      for (std::size_t j = 0; j < p.size(); ++j) p[j] = z[j] + turn * p[j];
    }
    if (dot(x, x) == 0) return preconditioned_descent();
    sum_to_zero(x, classes_);
    return x;
  }

  [[nodiscard]] Vector preconditioned(const Vector& r) const {
    Vector z = r;
    preconditioner_.apply(z);
    return z;
  }
  [[nodiscard]] Vector preconditioned_descent() const {
    Vector z = preconditioned(gradient_);
    for (double& value : z) value = -value;
    sum_to_zero(z, classes_);
    return z;
  }

  PenalisedLoss loss_;
  Index classes_;
  double tolerance_;
  kernel::ProgressMeter meter_;
  Preconditioner preconditioner_;
  Vector at_, gradient_;
  double value_ = 0, reference_ = 0, target_ = 0;
  Minimum result_;
};

}  // namespace

Minimum minimise(SoftmaxLoss& loss, const LogisticOptions& options, const Control& control) {
  return Newton(loss, options, control).run(options.max_iterations);
}

}  // namespace genera::fit_detail
