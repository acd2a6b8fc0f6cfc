#pragma once

#include <string>

#include <genera/error.hpp>

#include "blocks/gaussian/estimate_input.hpp"

namespace genera::blocks {

/// The error for a covariance that has no inverse: whose, of how many rows, its rank, the constant
/// and the dependent columns by name (with the relation where it is short), and what
/// helps.
struct SingularCase {
  std::string whose;  ///< "class 'a' (12 rows)"
  const Matrix& covariance;
  double nu = 0;  ///< degrees of freedom
};
[[nodiscard]] Error singular_error(const GaussianInput& input, const SingularCase& found,
                                   const Advice& cures);

/// "class 'a' (12 rows) by 1e-06 (linearly dependent on the others: 'b')": a singular covariance
/// that is shrunk, by how much, and why it is singular.
[[nodiscard]] std::string shrunk_text(const GaussianInput& input, const SingularCase& found,
                                      double amount);
/// Adds one warning about all of them.
void report_shrunk(const std::vector<std::string>& texts, Report& report);

}  // namespace genera::blocks
