#pragma once

#include <genera/recipe.hpp>

#include "blocks/gaussian/estimate/estimate_input.hpp"

namespace genera::blocks {

/// Divisor of columns in raw units that avoids overflow: a power of two near the largest deviation,
/// which changes no digit.
[[nodiscard]] double common_unit(const Vector& variances);

/// Inputs of the formulas for the amount of shrinkage, from R = D^-1 S D^-1.
struct Spread {
  double trace = 0;    ///< t
  double squares = 0;  ///< q = ||R||_F^2
  Index d = 0;
};
[[nodiscard]] Spread spread_of(const Matrix& covariance, const Vector& sd);

/// Oracle approximating shrinkage (Chen, Wiesel, Eldar and Hero 2010), with nu degrees of freedom.
[[nodiscard]] double oas_amount(const Spread& spread, double nu);

/// Ledoit and Wolf 2004 from the mle R of n rows and the sum of the fourth powers of their norms.
[[nodiscard]] double lw_amount(const Spread& spread, double fourth, double n);

/// D [(1 - rho) R + rho target I] D.
[[nodiscard]] Matrix moved(const Matrix& covariance, const Vector& sd, double rho, double target);

}  // namespace genera::blocks
