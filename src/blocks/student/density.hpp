#pragma once

#include <genera/types.hpp>

namespace genera::blocks {

/// log(Gamma((nu + d) / 2) / (Gamma(nu / 2) (nu / 2)^(d / 2))): added to the log constant of the
/// normal density with covariance S, it gives that of the t density with nu degrees of freedom and
/// scale matrix S over d columns. Keeps its digits for large nu.
[[nodiscard]] double log_student_factor(double degrees, Index dimension);

}  // namespace genera::blocks
