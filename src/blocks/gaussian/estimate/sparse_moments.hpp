#pragma once

#include <genera/stats.hpp>

namespace genera::blocks {

/// Statistics with the columns of a sparse matrix as numeric columns, for diagonal Gaussians;
/// implicit zeros count.
[[nodiscard]] Statistics moments_of_sparse(const Statistics& statistics);

}  // namespace genera::blocks
