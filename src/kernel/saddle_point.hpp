#pragma once

#include "kernel/double_double.hpp"

/// Probabilities of counts without the cancellation of large terms (Loader 2000, Fast and accurate
/// computation of binomial probabilities).
namespace genera::kernel {

/// From this count on, logarithms of powers and factorials are large relative to their difference.
constexpr double long_count = 1e5;

/// log n! - (log(2 pi n) / 2 + n log n - n), n > 0.
[[nodiscard]] double stirling_error(double n);

/// log(2 pi n) / 2 + stirling_error(n): log n! without n log n - n.
[[nodiscard]] double log_factorial_rest(double n);

/// x log(x / mean) + mean - x, both > 0: zero at x = mean, and accurate near it.
[[nodiscard]] double deviance(double x, HighLow mean);

}  // namespace genera::kernel
