#include "fit/linear/newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "kernel/index.hpp"
#include "kernel/progress.hpp"

namespace genera::fit_detail {
namespace {

using kernel::at;

/// So many coefficients have a matrix of second derivatives.
constexpr Index most_factored = 1500;
/// Of so many rows for each coefficient it is a good likeness of that of all rows.
constexpr Index rows_per_coefficient = 10, least_rows = 2000;
/// More columns than this are too many for the start from LDA.
constexpr Index most_lda_columns = 1000;

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
double norm(const Vector& a) { return std::sqrt(dot(a, a)); }

/// Adding the same number to the coefficients of all classes changes no probability.
void sum_to_zero(Vector& x, Index classes) {
  for (auto first = x.begin(); first != x.end(); first += classes) {
    const double mean = std::accumulate(first, first + classes, 0.0) / static_cast<double>(classes);
    std::for_each(first, first + classes, [&](double& value) { value -= mean; });
  }
}

class Preconditioner {
 public:
  explicit Preconditioner(const SoftmaxLoss& loss) : loss_(loss) {
    const Index rows = loss.design().rows;
    if (loss.size() > most_factored) return;
    rows_ = std::min(rows, std::max(least_rows, rows_per_coefficient * loss.size()));
    if (2 * rows_ > rows) rows_ = rows;
  }

  /// Made again when that pays: if conjugate gradients have cost as much meanwhile.
  void refresh() {
    if (made_ && steps_ < patience()) return;
    steps_ = 0;
    made_ = true;
    if (rows_ == 0)
      diagonal_ = loss_.curvature_diagonal();
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
    if (rows_ == 0) return 4;
    const Index as_costly = rows_ * loss_.size() / (4 * loss_.design().rows);
    return std::max<Index>(rows_ == loss_.design().rows ? 1 : 12, as_costly);
  }

  void factor() {
    const Matrix all = loss_.curvature_of_some(rows_);
    double jitter = 0;
    constexpr int most_attempts = 8;
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
      Matrix tried = all;
      for (Index i = 0; i < tried.rows(); ++i) {
        tried(i, i) += jitter * all(i, i) + (all(i, i) > 0 ? 0 : 1);
      }
      solver_ = kernel::Solver::of(std::move(tried));
      if (solver_) return;
      jitter = jitter == 0 ? 1e-12 : 100 * jitter;
    }
    diagonal_ = loss_.curvature_diagonal();
  }

  const SoftmaxLoss& loss_;
  Index rows_ = 0;  // 0: the diagonal alone
  Index steps_ = 0;
  bool made_ = false;
  std::optional<kernel::Solver> solver_;
  Vector diagonal_;
};

class Newton {
 public:
  Newton(SoftmaxLoss& loss, const LogisticOptions& options, const Control& control)
      : loss_(loss),
        classes_(loss.design().classes),
        ridge_(options.ridge),
        tolerance_(options.tolerance),
        meter_(control, Progress::Task::iterating),
        preconditioner_(loss) {}

  Minimum run(int most_iterations) {
    start();
    while (!done() && result_.iterations < most_iterations) {
      meter_.advance(1);
      if (!step()) break;
      ++result_.iterations;
    }
    result_.converged = done();
    if (ridge_ == 0 && classes_ > 1 && all_told_apart()) result_.unbounded = true;
    result_.gradient = reference_ > 0 ? norm(gradient_) / reference_ : 0;
    result_.value = value_;
    result_.at = std::move(at_);
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool done() const { return norm(gradient_) <= target_; }

  /// Whether every row has more than half of the probability on its class.
  [[nodiscard]] bool all_told_apart() const {
    const Design& design = loss_.design();
    const auto end = design.weights.begin() + design.rows;
    return value_ < std::numbers::ln2 * *std::min_element(design.weights.begin(), end);
  }

  double evaluate(const Vector& x, Vector& gradient) {
    const double value = loss_.evaluate(x, gradient);
    sum_to_zero(gradient, classes_);  // but for rounding it does so by itself
    return value;
  }

  void start() {
    const Design& design = loss_.design();
    at_.assign(at(loss_.size()), 0.0);
    for (Index k = 0; k < classes_; ++k)
      at_[at(k)] = std::log(design.class_weights[at(k)] / design.weight());
    sum_to_zero(at_, classes_);
    value_ = evaluate(at_, gradient_);
    reference_ = norm(gradient_);
    target_ = std::max(tolerance_ * reference_, rounding());
    if (!done()) start_from_lda();
  }

  /// What rounding leaves of sums that cancel.
  [[nodiscard]] double rounding() const {
    const Design& design = loss_.design();
    return 8 * std::numeric_limits<double>::epsilon() * design.weight() *
           std::sqrt(static_cast<double>(loss_.size()));
  }

  /// The closed form of LDA on the dense columns, if that is better. The columns are centred, so
  /// that the gradient at the log priors is the sum of each class, less its sign.
  void start_from_lda() {
    const Design& design = loss_.design();
    const Index d = design.dense - 1;
    if (d == 0 || d > most_lda_columns || classes_ < 2) return;
    Matrix covariance = loss_.dense_scatter();
    Matrix means(classes_, d);
    for (Index k = 0; k < classes_; ++k) {
      const double n = design.class_weights[at(k)];
      for (Index j = 0; j < d; ++j) means(k, j) = -gradient_[at((j + 1) * classes_ + k)] / n;
      for (Index i = 0; i < d; ++i) {
        for (Index j = 0; j < d; ++j) covariance(i, j) -= n * means(k, i) * means(k, j);
      }
    }
    for (Index i = 0; i < d; ++i) {
      for (Index j = 0; j < d; ++j) covariance(i, j) /= design.weight();
    }
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
      value_ = evaluate(at_, gradient_);  // what follows is about this point
    }
  }

  /// False: there is no way down that rounding would let us see.
  bool step() {
    preconditioner_.refresh();
    const Vector along = direction();
    const double slope = dot(gradient_, along);
    if (!(slope < 0)) return false;
    constexpr int most_halvings = 40;
    constexpr double enough = 1e-4, rounding_of_value = 1e-13;
    const double before = norm(gradient_);
    double t = 1;
    for (int halving = 0; halving < most_halvings; ++halving, t /= 2) {
      Vector next(at_.size()), gradient;
      for (std::size_t i = 0; i < next.size(); ++i) next[i] = at_[i] + t * along[i];
      const double value = evaluate(next, gradient);
      const bool flat = -t * slope < 1e3 * rounding_of_value * std::abs(value_);
      const bool down = value <= value_ + enough * t * slope;
      const bool level =
          flat && value <= value_ + rounding_of_value * std::abs(value_) && norm(gradient) < before;
      if (!down && !level) continue;
      if (ridge_ == 0) result_.unbounded = loss_.largest_change(along) * t > 0.05;
      at_ = std::move(next);
      gradient_ = std::move(gradient);
      value_ = value;
      return true;
    }
    value_ = evaluate(at_, gradient_);
    return false;
  }

  /// Second derivatives times it is the gradient, downwards; the nearer the end the more exactly.
  Vector direction() {
    const double size = norm(gradient_);
    const double exactness =
        std::max(0.3 * target_ / size, std::min(0.1, std::sqrt(size / reference_)));
    Vector x(at_.size()), r(at_.size()), product;
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = -gradient_[i];
    Vector z = preconditioned(r);
    Vector p = z;
    double rz = dot(r, z);
    constexpr int most_steps = 500;
    for (int i = 0; i < most_steps && norm(r) > exactness * size; ++i) {
      meter_.pause();
      loss_.curvature(p, product);
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

  SoftmaxLoss& loss_;
  Index classes_;
  double ridge_;
  double tolerance_;
  kernel::ProgressMeter meter_;
  Preconditioner preconditioner_;
  Vector at_, gradient_;
  double value_ = 0, reference_ = 0, target_ = 0;
  Minimum result_;
};

}  // namespace

Minimum minimise(SoftmaxLoss& loss, const LogisticOptions& options, const Control& control) {
  return Newton(loss, options, control).run(options.most_iterations);
}

}  // namespace genera::fit_detail
