#pragma once

#include <cmath>
#include <limits>

namespace genera::sums {

/// Deviations whose squares are too small for a double are not none: their sum is at least this,
/// so that whoever estimates can tell a column of tiny values from a constant.
constexpr double min_scatter = std::numeric_limits<double>::denorm_min();

/// Whether a deviation is more than the rounding of a mean.
[[nodiscard]] inline bool is_notable_deviation(double deviation, double mean) {
  constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
  return std::abs(deviation) > rounding * std::abs(mean);
}

}  // namespace genera::sums
