#include "kernel/normal.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <boost/math/special_functions/erf.hpp>

#include "kernel/infinity.hpp"

namespace genera::kernel {
namespace {

constexpr double log_root_two_pi = 0.5 * log_two_pi;
/// Beyond it, P(X <= -x) is taken from its continued fraction: erfc is about to underflow.
constexpr double far_out = 36;

double below(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

/// log(1 - exp(x)), x <= 0.
double log_one_minus_exp(double x) {
  return x > -std::numbers::ln2 ? std::log(-std::expm1(x)) : std::log1p(-std::exp(x));
}

/// log P(X <= -x) of a large x, by Laplace's continued fraction for Mills' ratio.
double log_far_tail(double x) {
  double fraction = x;
  for (int i = 30; i >= 1; --i) fraction = x + i / fraction;
  return -0.5 * x * x - log_root_two_pi - std::log(fraction);
}

/// The integral of the density over [m - r, m + r] by its expansion at m; empty intervals give
/// -inf.
double log_narrow(double m, double r) {
  const double mm = m * m, rr = r * r;
  const double second = (mm - 1) * rr / 6;
  const double fourth = (mm * mm - 6 * mm + 3) * rr * rr / 120;
  const double sixth = (mm * mm * mm - 15 * mm * mm + 45 * mm - 15) * rr * rr * rr / 5040;
  return std::log(2 * r) - 0.5 * mm - log_root_two_pi + std::log1p(second + fourth + sixth);
}

/// x with log P(X <= x) = log_p, far out on the left: Newton's method on the logarithm, which is
/// concave, from the left of the solution.
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
  if (a > -b) return log_normal_between(-b, -a);  // the half where cdfs are small
  if (std::isinf(a)) return log_normal_below(b);
  constexpr double narrow = 0.05;
  const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
  if (half * (std::abs(middle) + 1) < narrow) return log_narrow(middle, half);
  if (b > 0) return std::log1p(-(below(a) + below(-b)));
  const double upper = log_normal_below(b);
  return upper + log_one_minus_exp(log_normal_below(a) - upper);
}

double normal_within(double a, double b, double u) {
  if (a > -b) return -normal_within(-b, -a, 1 - u);
  const double p = below(a) + u * (below(b) - below(a));
  constexpr double least = 1e-290;
  double x = 0;
  if (p > least) {
    x = -std::numbers::sqrt2 * boost::math::erfc_inv(2 * p);
  } else {
    const double low = log_normal_below(a), high = log_normal_below(b);
    // P(a) + u (P(b) - P(a)), of which P(b) is the larger
    const double ratio = std::exp(low - high);
    const double share = ratio + u * (1 - ratio);
    x = share > 0 ? far_quantile(high + std::log(share)) : a;
  }
  return std::clamp(x, a, b);
}

}  // namespace genera::kernel
