#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace genera::kernel {

/// log sum exp(values), of one or more; -inf if all of them are.
[[nodiscard]] inline double log_sum(std::span<const double> values) {
  const double most = *std::ranges::max_element(values);
  if (std::isinf(most)) return most;
  double sum = 0;
  for (const double value : values) sum += std::exp(value - most);
  return most + std::log(sum);
}

}  // namespace genera::kernel
