#include "kernel/saddle_point.hpp"

#include <cmath>
#include <numbers>

#include "kernel/log_factorial.hpp"

namespace genera::kernel {

double stirling_error(double n) {
  constexpr double series_from = 16;  // five terms are then exact to 1e-16
  if (n < series_from)
    return log_factorial(n) - (0.5 * std::log(2 * std::numbers::pi * n) + n * std::log(n) - n);
  const double square = 1 / (n * n);
  constexpr double a = 1.0 / 12, b = 1.0 / 360, c = 1.0 / 1260, d = 1.0 / 1680, e = 1.0 / 1188;
  return (a - square * (b - square * (c - square * (d - square * e)))) / n;
}

double log_factorial_rest(double n) {
  return 0.5 * std::log(2 * std::numbers::pi * n) + stirling_error(n);
}

double deviance(double x, HighLow mean) {
  const double away = (x - mean.high) - mean.low;
  const double sum = x + mean.high;
  if (!(std::abs(away) < 0.1 * sum)) return x * std::log(x / mean.high) - away;
  // log(x / mean) = 2 atanh(v), v = (x - mean) / (x + mean).
  const double v = away / sum;
  double total = away * v;
  double term = 2 * x * v;
  for (int j = 3;; j += 2) {
    term *= v * v;
    const double next = total + term / j;
    if (next == total) return total;
    total = next;
  }
}

}  // namespace genera::kernel
