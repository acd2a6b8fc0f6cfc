#pragma once

#include <algorithm>

#include <genera/types.hpp>

namespace genera::kernel {

/// Copies the lower triangle of a d x d matrix to the upper, block by block, since columns of wide
/// matrices are far apart in memory.
inline void mirror_lower(double* matrix, Index d) {
  constexpr Index block = 16;
  for (Index rows = 0; rows < d; rows += block) {
    for (Index columns = 0; columns <= rows; columns += block) {
      for (Index i = rows; i < std::min(rows + block, d); ++i) {
        for (Index j = columns; j < std::min(columns + block, i); ++j)
          matrix[j * d + i] = matrix[i * d + j];
      }
    }
  }
}

}  // namespace genera::kernel
