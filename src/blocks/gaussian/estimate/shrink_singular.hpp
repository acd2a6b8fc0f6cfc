#pragma once

#include <genera/types.hpp>

namespace genera::blocks {

/// Shrinkage of a covariance whose columns are linearly dependent: far above the 5e-13 that
/// rounding leaves of exact dependence. Every class gets the same amount, so that a relation that
/// holds in all classes cancels in the posterior.
inline constexpr double dependent_shrinkage = 1e-6;

enum class SingularCause {
  few_rows,          ///< fewer degrees of freedom than columns
  constant_columns,  ///< a column has no variance
  dependent_columns
};
/// Why a covariance with nu degrees of freedom is singular; the first of the causes that holds.
[[nodiscard]] SingularCause cause_of_singularity(const Matrix& covariance, double nu);

struct ShrunkCovariance {
  Matrix covariance;
  double amount = 0;
};
/// (1 - rho) S + rho D^2. Dependent columns say that the class does not vary across their relation:
/// rho is `dependent_shrinkage`. Few rows and constant columns say little about the variance that
/// is missing: rho is the analytic amount (OAS). So it is if `dependent_shrinkage` is not enough:
/// one class varies far more than the others, or S, extrapolated by EM, is indefinite.
[[nodiscard]] ShrunkCovariance shrink_singular(const Matrix& covariance, const Vector& sd,
                                               double nu);

}  // namespace genera::blocks
