#pragma once

#include <genera/stats.hpp>

namespace genera::blocks {

/// What diagonal Gaussians of the columns of a sparse matrix need: the zeros that are not written
/// count.
[[nodiscard]] Statistics moments_of_sparse(const Statistics& statistics);

}  // namespace genera::blocks
