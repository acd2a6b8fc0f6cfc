#include "kernel/log_factorial.hpp"

#include <boost/math/special_functions/gamma.hpp>

namespace genera::kernel {

double log_factorial(double x) {
  using namespace boost::math::policies;
  const policy<overflow_error<ignore_error>, domain_error<ignore_error>, pole_error<ignore_error>>
      quiet;
  return boost::math::lgamma(x + 1, quiet);
}

}  // namespace genera::kernel
