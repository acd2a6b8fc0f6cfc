#pragma once

#include <optional>

#include <genera/types.hpp>

/// Blocked factors of large matrices, computed by the panel kernels. These use the full vector
/// width of the machine, unlike code compiled for a generic one.
namespace genera::kernel {

/// Number of columns from which these functions are faster than Eigen's.
inline constexpr Index large_matrix = 192;

/// L with L L' = s, reading the lower triangle; empty if s is not numerically positive definite.
[[nodiscard]] std::optional<Matrix> lower_of_large(const Matrix& s);

/// L^-1, reading the lower triangle.
[[nodiscard]] Matrix inverse_of_large(const Matrix& lower);

}  // namespace genera::kernel
