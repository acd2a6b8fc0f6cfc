#include "kernel/normal.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <boost/math/special_functions/erf.hpp>

#include "kernel/infinity.hpp"

namespace genera::kernel {
namespace {

constexpr double log_root_two_pi = 0.5 * log_two_pi;
/// Beyond this, P(X <= -x) is computed by a continued fraction because erfc is about to underflow.
constexpr double far_out = 36;

double below(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

/// Smallest probability for which the inverse of `below` is used.
constexpr double min_quantile = 1e-290;
double quantile(double p) {
  using namespace boost::math::policies;
  // Long doubles would take three times as long.
  return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * p, policy<promote_double<false>>());
}

/// log(1 - exp(x)), x <= 0.
double log_one_minus_exp(double x) {
  return x > -std::numbers::ln2 ? std::log(-std::expm1(x)) : std::log1p(-std::exp(x));
}

/// The hazard rate, density over P(X > x), for large x by Laplace's continued fraction.
double far_hazard(double x) {
  double fraction = x;
  for (int i = 10; i >= 1; --i) fraction = x + i / fraction;
  return fraction;
}

/// log P(X <= -x) for large x.
double log_far_tail(double x) { return -0.5 * x * x - log_root_two_pi - std::log(far_hazard(x)); }

/// log P(X <= a) - log P(X <= b) for a <= b < 0. Far out it uses the difference of the squares,
/// which are too large to subtract the logarithms.
double log_ratio_below(double a, double b) {
  if (b > -far_out) return log_normal_below(a) - log_normal_below(b);
  return 0.5 * (b - a) * (b + a) + std::log(far_hazard(-b) / far_hazard(-a));
}

/// Integral of the density over [m - r, m + r] by its expansion at m; -inf for empty intervals.
/// Each power of m is paired with a power of r, which keeps the product small.
double log_narrow(double m, double r) {
  const double s = m * r * (m * r), t = r * r;
  const double second = (s - t) / 6;
  const double fourth = (s * s - 6 * s * t + 3 * t * t) / 120;
  const double sixth = (s * s * s - 15 * s * s * t + 45 * s * t * t - 15 * t * t * t) / 5040;
  return std::log(2 * r) - 0.5 * m * m - log_root_two_pi + std::log1p(second + fourth + sixth);
}

/// x with log P(X <= x) = log_p in the far left tail: Newton's method on the concave logarithm,
/// from the left of the solution.
double far_quantile(double log_p) {
  double x = -std::sqrt(-2 * log_p);
  for (int i = 0; i < 20; ++i) {
    const double now = log_normal_below(x);
    const double slope = std::exp(-0.5 * x * x - log_root_two_pi - now);
    const double step = (log_p - now) / slope;
    x += step;
    if (std::abs(step) <= 1e-15 * std::abs(x)) break;
  }
  return x;
}

}  // namespace

double log_normal_below(double x) {
  if (x < -far_out) return std::isinf(x) ? -infinity : log_far_tail(-x);
  return x < 0 ? std::log(below(x)) : std::log1p(-below(-x));
}

double log_normal_between(double a, double b) {
  if (!(a <= b)) return -infinity;
  /// use the half in which the distribution function is small
  if (a > -b) return log_normal_between(-b, -a);
  if (std::isinf(a)) return log_normal_below(b);
  constexpr double narrow = 0.05;
  const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
  if (half * (std::abs(middle) + 1) < narrow) return log_narrow(middle, half);
  if (b > 0) return std::log1p(-(below(a) + below(-b)));
  if (b > -far_out) {
    const double all = below(b), rest = below(a);
    if (rest < 0.5 * all) return std::log(all - rest);  // no digit is lost
  }
  return log_normal_below(b) + log_one_minus_exp(log_ratio_below(a, b));
}

double normal_within(double a, double b, double u) {
  if (a > -b) return -normal_within(-b, -a, 1 - u);
  const double p = below(a) + u * (below(b) - below(a));
  double x = 0;
  if (p > min_quantile) {
    x = quantile(p);
  } else {
    // P(a) + u (P(b) - P(a)), where P(b) is the larger term.
    const double ratio = std::exp(log_ratio_below(a, b));
    const double share = ratio + u * (1 - ratio);
    x = share > 0 ? far_quantile(log_normal_below(b) + std::log(share)) : a;
  }
  return std::clamp(x, a, b);
}

}  // namespace genera::kernel
