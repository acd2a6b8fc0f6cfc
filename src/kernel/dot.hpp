#pragma once

#include <cstddef>

namespace genera::kernel {

/// a'b in four independent sums, for instruction-level parallelism.
[[nodiscard]] inline double dot(const double* a, const double* b, std::size_t count) {
  double sums[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    for (std::size_t s = 0; s < 4; ++s) sums[s] += a[i + s] * b[i + s];
  }
  for (; i < count; ++i) sums[0] += a[i] * b[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace genera::kernel
