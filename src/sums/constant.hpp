#pragma once

#include <cmath>
#include <limits>

/// What counts as a constant column.
namespace genera::sums {

/// A spread of eight units in the last place of the mean is the noise of reading a constant.
inline constexpr double constant_spread = 8 * std::numeric_limits<double>::epsilon();

/// Of smaller variances a floor or a factor would lose digits, and below 1e-308 the squares have
/// lost some themselves.
inline constexpr double min_variance = 0x1p-1000;

/// Of so many rows; in deviations, because squares may be too small for a double.
[[nodiscard]] inline bool is_constant(double scatter, double weight, double mean) {
  return std::sqrt(scatter) <= constant_spread * std::abs(mean) * std::sqrt(weight);
}

/// In a class; what varies less than can be squared is constant beside what others vary by.
[[nodiscard]] inline bool is_constant_within(double scatter, double weight, double mean) {
  return scatter < min_variance * weight || is_constant(scatter, weight, mean);
}

}  // namespace genera::sums
