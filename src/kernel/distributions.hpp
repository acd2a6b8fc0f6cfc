#pragma once

/// Tail probabilities of test statistics. Never NaN: impossible events give 0, certain ones 1.
namespace genera::kernel {

/// P(X >= x)
[[nodiscard]] double chi_square_tail(double x, double df);
[[nodiscard]] double f_tail(double f, double df1, double df2);
/// P(X <= x)
[[nodiscard]] double chi_square_below(double x, double df);
/// P(|X| >= |x|)
[[nodiscard]] double normal_tails(double x);
[[nodiscard]] double student_tails(double x, double df);

/// The quantile that is exceeded with probability `tail`.
[[nodiscard]] double chi_square_exceeded(double tail, double df);
[[nodiscard]] double normal_exceeded(double tail);

}  // namespace genera::kernel
