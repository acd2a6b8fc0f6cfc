#include "kernel/distributions.hpp"

#include <cmath>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

namespace genera::kernel {
namespace {

namespace policies = boost::math::policies;
/// Underflowing tails are 0 instead of an exception.
using Quiet = policies::policy<policies::overflow_error<policies::ignore_error>,
                               policies::underflow_error<policies::ignore_error>,
                               policies::denorm_error<policies::ignore_error>,
                               policies::domain_error<policies::ignore_error>,
                               policies::evaluation_error<policies::ignore_error>>;

}  // namespace

double chi_square_tail(double x, double df) {
  if (!(x > 0)) return 1;
  if (std::isinf(x)) return 0;
  return cdf(complement(boost::math::chi_squared_distribution<double, Quiet>(df), x));
}

double f_tail(double f, double df1, double df2) {
  if (!(f > 0)) return 1;
  if (std::isinf(f)) return 0;
  return cdf(complement(boost::math::fisher_f_distribution<double, Quiet>(df1, df2), f));
}

double chi_square_below(double x, double df) {
  if (!(x > 0)) return 0;
  if (std::isinf(x)) return 1;
  return cdf(boost::math::chi_squared_distribution<double, Quiet>(df), x);
}

double normal_tails(double x) {
  if (std::isinf(x)) return 0;
  return 2 * cdf(complement(boost::math::normal_distribution<double, Quiet>(0, 1), std::abs(x)));
}

double student_tails(double x, double df) {
  if (std::isinf(x)) return 0;
  return 2 * cdf(complement(boost::math::students_t_distribution<double, Quiet>(df), std::abs(x)));
}

double chi_square_exceeded(double tail, double df) {
  return quantile(complement(boost::math::chi_squared_distribution<double, Quiet>(df), tail));
}

double normal_exceeded(double tail) {
  return quantile(complement(boost::math::normal_distribution<double, Quiet>(0, 1), tail));
}

}  // namespace genera::kernel
