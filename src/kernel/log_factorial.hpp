#pragma once

namespace genera::kernel {

/// log x!, also for fractions; infinite on overflow. Thread-safe.
[[nodiscard]] double log_factorial(double x);

}  // namespace genera::kernel
