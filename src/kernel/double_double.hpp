#pragma once

#include <cmath>

namespace genera::kernel {

/// A number as an unevaluated sum of two doubles: about 32 digits (Dekker 1971, Knuth TAOCP 4.2.2).
struct HighLow {
  double high = 0;
  double low = 0;
};

/// a + b exactly.
[[nodiscard]] inline HighLow two_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

/// a b exactly.
[[nodiscard]] inline HighLow two_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

/// a / b.
[[nodiscard]] inline HighLow quotient(HighLow a, HighLow b) {
  const double ratio = a.high / b.high;
  return {ratio, (std::fma(-ratio, b.high, a.high) + (a.low - ratio * b.low)) / b.high};
}

[[nodiscard]] inline HighLow add(HighLow a, double b) {
  const HighLow sum = two_sum(a.high, b);
  return two_sum(sum.high, sum.low + a.low);
}

/// b - a, accurate if the two are close.
[[nodiscard]] inline double difference(HighLow a, HighLow b) {
  return (b.high - a.high) + (b.low - a.low);
}

}  // namespace genera::kernel
