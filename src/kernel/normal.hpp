#pragma once

/// The standard normal distribution, in logarithms where probabilities underflow.
namespace genera::kernel {

inline constexpr double log_two_pi = 1.8378770664093454836;

/// log P(X <= x), with a small relative error of P over the whole range of doubles.
[[nodiscard]] double log_normal_below(double x);

/// log P(a <= X <= b), -inf if a > b; ends may be infinite. Small relative error of P in both tails
/// and for narrow intervals.
[[nodiscard]] double log_normal_between(double a, double b);

/// The u-quantile (u in [0, 1]) of X given that it lies in [a, b].
[[nodiscard]] double normal_within(double a, double b, double u);

}  // namespace genera::kernel
