#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace genera::kernel {

/// log sum exp(values) of at least one value; -inf if all are -inf.
[[nodiscard]] inline double log_sum(std::span<const double> values) {
  const double max = *std::ranges::max_element(values);
  if (std::isinf(max)) return max;
  double sum = 0;
  for (const double value : values) sum += std::exp(value - max);
  return max + std::log(sum);
}

}  // namespace genera::kernel
