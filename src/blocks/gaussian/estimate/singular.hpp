#pragma once

#include <string>

#include <genera/error.hpp>

#include "blocks/gaussian/estimate/estimate_input.hpp"

namespace genera::blocks {

/// The error for a covariance that has no inverse: whose, of how many rows, its rank, the constant
/// and the dependent columns by name (with the relation where it is short), and what
/// helps.
struct SingularCase {
  std::string whose;  ///< "class 'a' (12 rows)"
  const Matrix& covariance;
};
[[nodiscard]] Error singular_error(const GaussianInput& input, const SingularCase& found,
                                   const Advice& remedies);

/// Why a covariance with nu degrees of freedom is singular: "linearly dependent on the others:
/// 'b'".
[[nodiscard]] std::string singular_reason(const GaussianInput& input, const Matrix& covariance,
                                          double nu);
/// Adds one warning that covariances were shrunk: whose, by how much, and why.
void report_shrunk(const std::vector<std::string>& texts, Report& report);

}  // namespace genera::blocks
