#pragma once

#include <functional>
#include <limits>

#include <genera/types.hpp>

#include "kernel/normal_box.hpp"

/// Integrals of log-concave functions: there is one peak, and the tails decay. All functions call
/// their argument a bounded number of times.
namespace genera::kernel {

using LogConcave = std::function<double(double)>;  ///< the logarithm of the function

inline constexpr double epsilon = std::numeric_limits<double>::epsilon();
inline constexpr double negligible = 36;  ///< exp(-36) = 2e-16

/// A point at which the logarithm is within 1/2 of its maximum, and the width of an interval around
/// it in which it changes by no more than that.
struct Peak {
  double x, value, width;
};
[[nodiscard]] Peak peak_of(const LogConcave& f, const Interval& range);

/// The part of the range in which the function is not negligible.
[[nodiscard]] Interval support_of(const LogConcave& f, const Peak& peak, const Interval& range);

/// The integral from the first to the last of the sorted `ends`, by adaptive Gauss-Kronrod
/// quadrature: panels between `ends` are halved until the relative error is within `tolerance` or
/// there are 32 panels.
[[nodiscard]] LogProbability integral_of(const LogConcave& f, const Peak& peak, const Vector& ends,
                                         double tolerance);

}  // namespace genera::kernel
