#include "blocks/gaussian/estimate/shrink_singular.hpp"

#include <algorithm>

#include "blocks/gaussian/estimate/shrinkage.hpp"
#include "kernel/cholesky.hpp"

namespace genera::blocks {

SingularCause cause_of_singularity(const Matrix& covariance, double nu) {
  if (nu < static_cast<double>(covariance.rows())) return SingularCause::few_rows;
  for (Index j = 0; j < covariance.rows(); ++j)
    if (!(covariance(j, j) > 0)) return SingularCause::constant_columns;
  return SingularCause::dependent_columns;
}

ShrunkCovariance shrink_singular(const Matrix& covariance, const Vector& sd, double nu) {
  if (cause_of_singularity(covariance, nu) == SingularCause::dependent_columns) {
    Matrix shrunk = moved(covariance, sd, dependent_shrinkage, 1);
    if (kernel::is_regular(shrunk)) return {std::move(shrunk), dependent_shrinkage};
  }
  const double analytic = oas_amount(spread_of(covariance, sd), std::max(0.0, nu));
  const double amount = std::max(dependent_shrinkage, analytic);
  return {moved(covariance, sd, amount, 1), amount};
}

}  // namespace genera::blocks
