#pragma once

#include <optional>

#include <genera/types.hpp>

/// Factors of large matrices, block by block through the kernels of panels: these have the width of
/// the machine's vectors, which a library compiled for any machine has not.
namespace genera::kernel {

/// From so many columns on they are faster than others.
inline constexpr Index large_matrix = 192;

/// L with L L' = s, of which the lower triangle counts; empty if s is not numerically positive
/// definite.
[[nodiscard]] std::optional<Matrix> lower_of_large(const Matrix& s);

/// L^-1; what is above the diagonal of L does not count.
[[nodiscard]] Matrix inverse_of_large(const Matrix& lower);

}  // namespace genera::kernel
