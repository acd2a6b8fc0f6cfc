#pragma once

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

[[nodiscard]] inline HighLow add(HighLow a, double b) {
  const HighLow sum = two_sum(a.high, b);
  return two_sum(sum.high, sum.low + a.low);
}

/// b - a, where the two are close.
[[nodiscard]] inline double difference(HighLow a, HighLow b) {
  return (b.high - a.high) + (b.low - a.low);
}

}  // namespace genera::kernel
