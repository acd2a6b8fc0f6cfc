#include "kernel/normal_box.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <boost/math/quadrature/tanh_sinh.hpp>

#include "kernel/index.hpp"
#include "kernel/infinity.hpp"
#include "kernel/normal.hpp"
#include "kernel/parallel.hpp"

namespace genera::kernel {
namespace {

using Box = std::vector<Interval>;
using Quadrature = boost::math::quadrature::tanh_sinh<double>;

/// Intervals in standard deviations, and correlations.
struct Standardised {
  Box box;
  Matrix correlation;
};

Standardised standardised(std::span<const Interval> box, const Matrix& covariance) {
  Standardised s{{}, covariance};
  Vector sd;
  for (Index i = 0; i < covariance.rows(); ++i) sd.push_back(std::sqrt(covariance(i, i)));
  for (Index i = 0; i < covariance.rows(); ++i) {
    for (Index j = 0; j < covariance.rows(); ++j) s.correlation(i, j) /= sd[at(i)] * sd[at(j)];
    s.correlation(i, i) = 1;
    s.box.push_back({box[at(i)].low / sd[at(i)], box[at(i)].high / sd[at(i)]});
  }
  return s;
}

double log_between(const Interval& z) { return log_normal_between(z.low, z.high); }

/// Once the first variable is x, the others are normal with these means and covariances, of which
/// only the means depend on x.
class Rest {
 public:
  explicit Rest(const Standardised& all) : all_(all) {
    const Index d = all.correlation.rows() - 1;
    part_.correlation = Matrix(d, d);
    for (Index i = 1; i <= d; ++i) {
      const double slope = all.correlation(i, 0);
      slopes_.push_back(slope);
      sd_.push_back(std::sqrt(std::max((1 - slope) * (1 + slope), least_variance)));
    }
    for (Index i = 0; i < d; ++i) {
      for (Index j = 0; j < d; ++j)
        part_.correlation(i, j) =
            (all.correlation(i + 1, j + 1) - slopes_[at(i)] * slopes_[at(j)]) /
            (sd_[at(i)] * sd_[at(j)]);
      part_.correlation(i, i) = 1;
    }
    part_.box.resize(at(d));
  }

  const Standardised& given(double x) {
    for (std::size_t i = 0; i < slopes_.size(); ++i) {
      const Interval& own = all_.box[i + 1];
      part_.box[i] = {(own.low - slopes_[i] * x) / sd_[i], (own.high - slopes_[i] * x) / sd_[i]};
    }
    return part_;
  }

  /// Where the mean of another variable crosses an end of its interval: with strong correlations
  /// the integrand changes abruptly there.
  [[nodiscard]] Vector crossings() const {
    Vector found;
    for (std::size_t i = 0; i < slopes_.size(); ++i) {
      for (const double end : {all_.box[i + 1].low, all_.box[i + 1].high}) {
        if (std::isfinite(end) && slopes_[i] != 0) found.push_back(end / slopes_[i]);
      }
    }
    return found;
  }

 private:
  static constexpr double least_variance = std::numeric_limits<double>::epsilon();
  const Standardised& all_;
  Vector slopes_, sd_;
  Standardised part_;
};

/// The largest value of a concave function on an interval, and where it is.
struct Peak {
  double x, value;
};
template <class F>
Peak peak_of(const F& f, Interval range) {
  constexpr double golden = 0.38196601125010515, accurate = 1e-6;
  const double start = std::clamp(0.0, range.low, range.high);
  // Away from the start as long as it rises, in growing steps; then inwards.
  double low = std::max(range.low, start - 1), high = std::min(range.high, start + 1);
  for (double step = 1; high < range.high && f(high) > f(0.5 * (low + high)); step *= 2)
    high = std::min(range.high, high + step);
  for (double step = 1; low > range.low && f(low) > f(0.5 * (low + high)); step *= 2)
    low = std::max(range.low, low - step);
  double left = low + golden * (high - low), right = high - golden * (high - low);
  double at_left = f(left), at_right = f(right);
  while (high - low > accurate * (1 + std::abs(low))) {
    if (at_left < at_right) {
      low = left;
      left = right, at_left = at_right;
      right = high - golden * (high - low), at_right = f(right);
    } else {
      high = right;
      right = left, at_right = at_left;
      left = low + golden * (high - low), at_left = f(left);
    }
  }
  const double middle = 0.5 * (low + high);
  Peak peak{middle, f(middle)};
  for (const double end : {low, high}) {
    if (const double value = f(end); value > peak.value) peak = {end, value};
  }
  return peak;
}

/// How far from its peak, in the direction of `step`, a concave function stays above `least`.
template <class F>
double reach(const F& f, double from, double step, double limit, double least) {
  double inside = from, outside = from + step;
  const auto beyond = [&](double x) { return step > 0 ? x >= limit : x <= limit; };
  while (!beyond(outside) && f(outside) > least) {
    inside = outside;
    outside += 2 * (outside - from);
  }
  if (beyond(outside)) outside = limit;
  for (int i = 0; i < 30 && f(outside) < least; ++i) {
    const double middle = 0.5 * (inside + outside);
    (f(middle) > least ? inside : outside) = middle;
  }
  return outside;
}

/// The integral over the first variable of its density times the probability of the others. Both
/// are log-concave, so that there is one peak and nothing beyond its reach.
LogProbability by_quadrature(const Standardised& all, Quadrature& quadrature) {
  if (all.box.size() == 1) return {log_between(all.box.front()), 0};
  Rest rest(all);
  double inner_error = 0;
  const auto log_integrand = [&](double x) {
    const LogProbability others = by_quadrature(rest.given(x), quadrature);
    inner_error = std::max(inner_error, others.relative_error);
    return others.log - 0.5 * x * x;
  };
  constexpr double negligible = 45;  // exp(-45) = 3e-20
  const Interval& own = all.box.front();
  const Peak peak = peak_of(log_integrand, own);
  if (std::isinf(peak.value)) return {-infinity, 0};
  Vector ends{reach(log_integrand, peak.x, -0.5, own.low, peak.value - negligible), peak.x,
              reach(log_integrand, peak.x, 0.5, own.high, peak.value - negligible)};
  const double first = ends.front(), last = ends.back();
  for (const double x : rest.crossings()) {
    if (x > first && x < last) ends.push_back(x);
  }
  std::ranges::sort(ends);
  constexpr double tolerance = 1e-11;
  double sum = 0, error = 0;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    const double middle = 0.5 * (ends[i] + ends[i + 1]), half = 0.5 * (ends[i + 1] - ends[i]);
    if (!(half > 0)) continue;
    double off = 0;
    const auto scaled = [&](double t) {
      return std::exp(log_integrand(middle + half * t) - peak.value);
    };
    sum += half * quadrature.integrate(scaled, -1.0, 1.0, tolerance, &off);
    error += half * off;
  }
  if (!(sum > 0)) return {log_between(own) + peak.value, 1};
  return {std::log(sum) + peak.value - 0.5 * log_two_pi, error / sum + inner_error};
}

/// The variable whose interval is the least probable first: the integrand then varies less.
Standardised least_probable_first(Standardised all) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < all.box.size(); ++i) {
    if (log_between(all.box[i]) < log_between(all.box[best])) best = i;
  }
  std::swap(all.box[0], all.box[best]);
  for (Index j = 0; j < all.correlation.rows(); ++j)
    std::swap(all.correlation(0, j), all.correlation(static_cast<Index>(best), j));
  for (Index i = 0; i < all.correlation.rows(); ++i)
    std::swap(all.correlation(i, 0), all.correlation(i, static_cast<Index>(best)));
  return all;
}

/// Lower triangular L with L L' = correlation, rows in an order of its own.
struct Separated {
  Box box;
  Matrix factor;
};

/// Cholesky's factor, where the next variable is the one least probable when those before it are at
/// their means (Gibson, Glasbey and Elston 1994).
Separated separate(const Standardised& all) {
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
      if (const double log = log_between(z); log < least) best = j, least = log, chosen = z;
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
    means[at(i)] = normal_within(chosen.low, chosen.high, 0.5);
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
      log += log_normal_between(low, high);
      if (i + 1 == y_.size() || std::isinf(log)) break;
      const double u = n * steps_[i] + shift_[i];
      y_[i] = normal_within(low, high, std::abs(2 * (u - std::floor(u)) - 1));
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

LogProbability by_lattices(const Standardised& all, const Rng& rng, int threads) {
  constexpr Index shift_count = 12, first_points = 1000, most_coordinates = 5'000'000;
  constexpr double enough = 1e-4;
  const Separated problem = separate(all);
  const Vector steps = lattice_steps(problem.box.size() - 1);
  std::vector<ShiftedLattice> shifts;
  for (Index i = 0; i < shift_count; ++i)
    shifts.emplace_back(problem, steps, rng.split(static_cast<std::uint64_t>(i)));
  const Index most_points =
      std::max<Index>(first_points, most_coordinates / (shift_count * std::ssize(problem.box)));
  for (Index points = first_points;; points = std::min(2 * points, most_points)) {
    parallel_for(shift_count, threads, [&](Index i) { shifts[at(i)].run_to(points); });
    const LogProbability found = mean_of(shifts);
    if (found.relative_error <= enough || points == most_points) return found;
  }
}

bool is_diagonal(const Matrix& correlation) {
  for (Index i = 0; i < correlation.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      if (correlation(i, j) != 0) return false;
    }
  }
  return true;
}

}  // namespace

LogProbability normal_box(std::span<const Interval> box, const Matrix& covariance, const Rng& rng,
                          int threads) {
  const Standardised all = standardised(box, covariance);
  if (is_diagonal(all.correlation)) {
    LogProbability product;
    for (const Interval& own : all.box) product.log += log_between(own);
    return product;
  }
  constexpr std::size_t most_by_quadrature = 3;
  if (box.size() > most_by_quadrature) return by_lattices(all, rng, threads);
  Quadrature quadrature;
  return by_quadrature(least_probable_first(all), quadrature);
}

}  // namespace genera::kernel
