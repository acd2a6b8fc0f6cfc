#pragma once

#include <genera/types.hpp>

namespace genera::blocks {

/// Shrinkage of a covariance with linearly dependent columns. Far above the relative rounding error
/// of an exact dependence, 5e-13. The same for all classes, so that a relation that holds in all of
/// them cancels in the posterior.
inline constexpr double dependent_shrinkage = 1e-6;

enum class SingularCause {
  few_rows,          ///< fewer degrees of freedom than columns
  constant_columns,  ///< a column has no variance
  dependent_columns
};
/// The first cause that holds for a singular covariance with nu degrees of freedom.
[[nodiscard]] SingularCause cause_of_singularity(const Matrix& covariance, double nu);

struct ShrunkCovariance {
  Matrix covariance;
  double amount = 0;
};
/// (1 - rho) S + rho D^2. For dependent columns, the class does not vary across their relation, and
/// rho is `dependent_shrinkage`. With few rows or constant columns, the missing variance is
/// unknown, and rho is the analytic amount (OAS). The same if `dependent_shrinkage` is not
/// sufficient: one class varies far more than the others, or S, extrapolated by EM, is indefinite.
[[nodiscard]] ShrunkCovariance shrink_singular(const Matrix& covariance, const Vector& sd,
                                               double nu);

}  // namespace genera::blocks
