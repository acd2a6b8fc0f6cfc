#pragma once

#include <cmath>
#include <limits>

/// Recognition of constant columns.
namespace genera::sums {

/// A standard deviation of eight units in the last place of the mean is rounding noise of a
/// constant.
inline constexpr double constant_spread = 8 * std::numeric_limits<double>::epsilon();

/// Smaller variances would lose digits in products with a floor or factor; below 1e-308 the squares
/// themselves have lost some.
inline constexpr double min_variance = 0x1p-1000;

/// Decides by standard deviations, because squares may underflow.
[[nodiscard]] inline bool is_constant(double scatter, double weight, double mean) {
  return std::sqrt(scatter) <= constant_spread * std::abs(mean) * std::sqrt(weight);
}

/// The same within a class; also true if the squares underflow.
[[nodiscard]] inline bool is_constant_within(double scatter, double weight, double mean) {
  return scatter < min_variance * weight || is_constant(scatter, weight, mean);
}

}  // namespace genera::sums
