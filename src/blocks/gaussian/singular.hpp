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
};
[[nodiscard]] Error singular_error(const GaussianInput& input, const SingularCase& found,
                                   const Advice& cures);

}  // namespace genera::blocks
