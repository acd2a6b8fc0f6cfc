#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "kernel/infinity.hpp"

/// Pooling of the answers of members about one row, in the order of the members.
namespace genera::score {

/// log(exp(a) + exp(b)).
[[nodiscard]] inline double log_add(double a, double b) {
  const double max = std::max(a, b);
  if (std::isinf(max)) return max;
  return max + std::log1p(std::exp(std::min(a, b) - max));
}

/// to += weight * from.
inline void pool(double weight, std::span<const double> from, double* to) {
  for (const double value : from) *to++ += weight * value;
}

/// to = log(exp(to) + weight * exp(from)); to starts as -inf.
inline void pool_log(double log_weight, std::span<const double> from, double* to) {
  for (const double value : from) {
    *to = log_add(*to, log_weight + value);
    ++to;
  }
}

}  // namespace genera::score
