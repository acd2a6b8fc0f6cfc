// Boxes of many columns: Genz's separation of variables on randomly shifted lattices.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernel/index.hpp"
#include "kernel/infinity.hpp"
#include "kernel/normal.hpp"
#include "kernel/normal_box_parts.hpp"
#include "kernel/parallel.hpp"

namespace genera::kernel {
namespace {

/// Lower triangular L with L L' = correlation, rows in an order of its own.
struct Separated {
  std::vector<Interval> box;
  Matrix factor;
};

/// Cholesky's factor, where the next variable is the one least probable when those before it are at
/// their means (Gibson, Glasbey and Elston 1994).
Separated separate(const StandardBox& all) {
  const Index d = all.correlation.rows();
  Separated s{all.box, Matrix(d, d)};
  Matrix c = all.correlation;
  Vector means(at(d));
  for (Index i = 0; i < d; ++i) {
    Index best = i;
    double least = infinity;
    Interval chosen{};
    for (Index j = i; j < d; ++j) {
      double variance = 1, mean = 0;
      for (Index t = 0; t < i; ++t) {
        variance -= s.factor(j, t) * s.factor(j, t);
        mean += s.factor(j, t) * means[at(t)];
      }
      const double sd = std::sqrt(std::max(variance, std::numeric_limits<double>::epsilon()));
      const Interval z{(s.box[at(j)].low - mean) / sd, (s.box[at(j)].high - mean) / sd};
      if (const double log = log_normal_between(z.low, z.high); log < least)
        best = j, least = log, chosen = z;
    }
    std::swap(s.box[at(i)], s.box[at(best)]);
    for (Index t = 0; t < d; ++t) std::swap(c(i, t), c(best, t));
    for (Index t = 0; t < d; ++t) std::swap(c(t, i), c(t, best));
    for (Index t = 0; t < i; ++t) std::swap(s.factor(i, t), s.factor(best, t));
    double variance = 1;
    for (Index t = 0; t < i; ++t) variance -= s.factor(i, t) * s.factor(i, t);
    s.factor(i, i) = std::sqrt(std::max(variance, std::numeric_limits<double>::epsilon()));
    for (Index j = i + 1; j < d; ++j) {
      double sum = c(j, i);
      for (Index t = 0; t < i; ++t) sum -= s.factor(j, t) * s.factor(i, t);
      s.factor(j, i) = sum / s.factor(i, i);
    }
    means[at(i)] = least > -infinity ? normal_within(chosen.low, chosen.high, 0.5) : 0;
  }
  return s;
}

/// The square roots of the first primes: their multiples modulo 1 fill a cube evenly (Richtmyer).
Vector lattice_steps(std::size_t count) {
  Vector steps;
  std::vector<int> primes;
  for (int n = 2; steps.size() < count; ++n) {
    if (std::ranges::any_of(primes, [&](int p) { return n % p == 0; })) continue;
    primes.push_back(n);
    steps.push_back(std::sqrt(n));
  }
  return steps;
}

/// The sum of numbers that are known by their logarithms.
class LogSum {
 public:
  void add(double log) {
    if (log > largest_) {
      sum_ = sum_ * std::exp(largest_ - log) + 1;
      largest_ = log;
    } else if (largest_ > -infinity) {
      sum_ += std::exp(log - largest_);
    }
  }
  [[nodiscard]] double log() const { return std::log(sum_) + largest_; }

 private:
  double largest_ = -infinity, sum_ = 0;
};

/// One shift of the lattice: its points are taken in order, some now and more later.
class ShiftedLattice {
 public:
  ShiftedLattice(const Separated& problem, const Vector& steps, Rng rng)
      : problem_(problem), steps_(steps), y_(problem.box.size()) {
    for (std::size_t i = 0; i < steps.size(); ++i) shift_.push_back(rng.uniform());
  }

  void run_to(Index points) {
    for (; done_ < points; ++done_) sum_.add(log_value(static_cast<double>(done_ + 1)));
  }
  [[nodiscard]] double log_mean() const { return sum_.log() - std::log(done_); }

 private:
  /// The product of the probabilities of each variable given those before it.
  double log_value(double n) {
    double log = 0;
    for (std::size_t i = 0; i < y_.size(); ++i) {
      double mean = 0;
      for (std::size_t t = 0; t < i; ++t)
        mean += problem_.factor(static_cast<Index>(i), static_cast<Index>(t)) * y_[t];
      const double sd = problem_.factor(static_cast<Index>(i), static_cast<Index>(i));
      const double low = (problem_.box[i].low - mean) / sd;
      const double high = (problem_.box[i].high - mean) / sd;
      if (i + 1 == y_.size()) return log + log_normal_between(low, high);
      const double u = n * steps_[i] + shift_[i];
      const NormalDraw draw = draw_within(low, high, std::abs(2 * (u - std::floor(u)) - 1));
      log += draw.log;
      if (std::isinf(log)) break;
      y_[i] = draw.x;
    }
    return log;
  }

  const Separated& problem_;
  const Vector& steps_;
  Vector shift_, y_;
  LogSum sum_;
  Index done_ = 0;
};

/// Mean of the shifts and three standard errors of it.
LogProbability mean_of(const std::vector<ShiftedLattice>& shifts) {
  LogSum sum;
  for (const ShiftedLattice& one : shifts) sum.add(one.log_mean());
  const auto count = static_cast<double>(shifts.size());
  const double log = sum.log() - std::log(count);
  if (std::isinf(log)) return {-infinity, 0};
  double squares = 0;
  for (const ShiftedLattice& one : shifts) {
    const double off = std::expm1(one.log_mean() - log);
    squares += off * off;
  }
  return {log, 3 * std::sqrt(squares / (count * (count - 1)))};
}

}  // namespace

LogProbability box_by_lattices(const StandardBox& all, Index max_coordinates, const Rng& rng,
                               int threads) {
  constexpr Index shift_count = 12, first_points = 250;
  constexpr double enough = 1e-4;
  const Separated problem = separate(all);
  const Index d = std::ssize(problem.box);
  const Vector steps = lattice_steps(at(d - 1));
  std::vector<ShiftedLattice> shifts;
  for (Index i = 0; i < shift_count; ++i)
    shifts.emplace_back(problem, steps, rng.split(static_cast<std::uint64_t>(i)));
  const Index max_points = std::max<Index>(first_points, max_coordinates / (shift_count * d));
  for (Index points = first_points;; points = std::min(2 * points, max_points)) {
    parallel_for(shift_count, threads, [&](Index i) { shifts[at(i)].run_to(points); });
    LogProbability found = mean_of(shifts);
    found.evaluations = shift_count * points * d;
    if (found.relative_error <= enough || points == max_points) return found;
  }
}

}  // namespace genera::kernel
