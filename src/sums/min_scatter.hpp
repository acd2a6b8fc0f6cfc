#pragma once

#include <cmath>
#include <limits>

namespace genera::sums {

/// Smallest sum of squares of nonzero deviations: distinguishes a column of tiny values, whose
/// squares underflow, from a constant.
constexpr double min_scatter = std::numeric_limits<double>::denorm_min();

/// True if a deviation exceeds the rounding error of a mean.
[[nodiscard]] inline bool is_notable_deviation(double deviation, double mean) {
  constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
  return std::abs(deviation) > rounding * std::abs(mean);
}

}  // namespace genera::sums
