#pragma once

#include <genera/types.hpp>

namespace genera::kernel {

/// S = V diag(values) V', with values in increasing order and vectors as columns of V.
struct SymmetricEigen {
  Vector values;
  Matrix vectors;
};

/// Reads the lower triangle of a symmetric matrix of finite numbers.
[[nodiscard]] SymmetricEigen symmetric_eigen(const Matrix& s);

}  // namespace genera::kernel
