#pragma once

namespace genera::kernel {

/// log x!, also of fractions; infinite where it overflows. Safe on several threads.
[[nodiscard]] double log_factorial(double x);

}  // namespace genera::kernel
