#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

/// Whether draws are what they should be: tests of a fixed seed, so that they pass or fail for
/// ever.
namespace genera::testing {

inline double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

/// sqrt(n) times the largest distance between the empirical distribution and `cdf` (Kolmogorov and
/// Smirnov): above 1.95 once in a thousand times.
template <class Cdf>
double ks_statistic(std::vector<double> values, Cdf cdf) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  double distance = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double expected = cdf(values[i]), before = static_cast<double>(i) / n;
    distance = std::max({distance, expected - before, before + 1 / n - expected});
  }
  return std::sqrt(n) * distance;
}

inline constexpr double ks_limit = 1.95;

/// `sigmas` standard deviations of a share of n, with room for rounding.
inline double share_error(double p, double n, double sigmas = 5) {
  return sigmas * std::sqrt(p * (1 - p) / n) + 1e-12;
}

}  // namespace genera::testing
