#pragma once

#include <string>

#include <genera/error.hpp>

#include "blocks/gaussian/estimate/estimate_input.hpp"

namespace genera::blocks {

/// The error for a covariance without an inverse: its class, rows and rank, the constant and the
/// dependent columns by name (with short relations), and remedies.
struct SingularCase {
  std::string whose;  ///< "class 'a' (12 rows)"
  const Matrix& covariance;
};
[[nodiscard]] Error singular_error(const GaussianInput& input, const SingularCase& found,
                                   const Advice& remedies);

/// The reason why a covariance with nu degrees of freedom is singular: "linearly dependent on the
/// others: 'b'".
[[nodiscard]] std::string singular_reason(const GaussianInput& input, const Matrix& covariance,
                                          double nu);
/// Adds one warning on shrunk covariances: their classes, amounts and reasons.
void report_shrunk(const std::vector<std::string>& texts, Report& report);

}  // namespace genera::blocks
