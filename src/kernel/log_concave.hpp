#pragma once

#include <functional>
#include <limits>

#include <genera/types.hpp>

#include "kernel/normal_box.hpp"

/// Integrals of functions whose logarithm is concave: there is one peak, and little far from it.
/// Every function calls its argument a bounded number of times.
namespace genera::kernel {

using LogConcave = std::function<double(double)>;  ///< the logarithm of the function

inline constexpr double epsilon = std::numeric_limits<double>::epsilon();
inline constexpr double negligible = 36;  ///< exp(-36) = 2e-16

/// A place where the logarithm is at most 1/2 below its maximum, and the width of an interval
/// around it in which it changes by no more than that.
struct Peak {
  double x, value, width;
};
[[nodiscard]] Peak peak_of(const LogConcave& f, const Interval& range);

/// The part of the range in which the function is not negligible.
[[nodiscard]] Interval support_of(const LogConcave& f, const Peak& peak, const Interval& range);

/// The integral between the first and the last of `ends`, which are sorted, by adaptive
/// Gauss-Kronrod quadrature: the panels between `ends` are halved until the relative error is
/// within `tolerance` or there are 32 of them.
[[nodiscard]] LogProbability integral_of(const LogConcave& f, const Peak& peak, const Vector& ends,
                                         double tolerance);

}  // namespace genera::kernel
