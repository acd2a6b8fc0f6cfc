#pragma once

#include <string>

#include <genera/error.hpp>

#include "fit/gaussian_input.hpp"

namespace genera::fit_detail {

/// The error for a covariance that has no inverse: whose, of how many rows, its rank, the constant
/// and the dependent columns by name (with the relation where it is short), and the options that
/// help.
[[nodiscard]] Error singular_error(const GaussianInput& input, const std::string& whose,
                                   const Matrix& covariance);

}  // namespace genera::fit_detail
