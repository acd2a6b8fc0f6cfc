#pragma once

/// The standard normal law, in logarithms where probabilities are too small for a double.
namespace genera::kernel {

inline constexpr double log_two_pi = 1.8378770664093454836;

/// log P(X <= x), accurate relative to P as far out as a double reaches.
[[nodiscard]] double log_normal_below(double x);

/// log P(a <= X <= b), -inf if a > b; ends may be infinite. Accurate relative to P, in either tail
/// and for intervals that are narrow.
[[nodiscard]] double log_normal_between(double a, double b);

/// What X is with the share `u` (in [0, 1]) of its law below, if it is known to lie in [a, b].
[[nodiscard]] double normal_within(double a, double b, double u);

}  // namespace genera::kernel
