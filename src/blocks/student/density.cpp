#include "blocks/student/density.hpp"

#include <cmath>

namespace genera::blocks {
namespace {

/// log Gamma(a + 1/2) - log Gamma(a) - (log a) / 2, by the recurrence up to where the asymptotic
/// series has all digits.
double log_half_step(double a) {
  constexpr double enough = 24;
  double sum = 0;
  for (; a < enough; ++a) sum += std::log1p(1 / a) / 2 - std::log1p(0.5 / a);
  const double t = 1 / a, u = t * t;
  return sum -
         t * (1.0 / 8 - u * (1.0 / 192 - u * (1.0 / 640 - u * (17.0 / 14336 - u * 31.0 / 18432))));
}

}  // namespace

double log_student_factor(double degrees, Index dimension) {
  const double a = degrees / 2;
  const double half = dimension % 2 == 0 ? 0 : 0.5;
  double sum = dimension % 2 == 0 ? 0 : log_half_step(a);
  for (Index i = 0; i < dimension / 2; ++i) sum += std::log1p((half + static_cast<double>(i)) / a);
  return sum;
}

}  // namespace genera::blocks
