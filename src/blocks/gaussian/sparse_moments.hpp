#pragma once

#include <string>
#include <vector>

#include <genera/stats.hpp>

namespace genera::blocks {

/// The columns of a sparse matrix that occur in any class, in the order of the model.
[[nodiscard]] std::vector<std::string> columns_seen(const Statistics& statistics);

/// What diagonal Gaussians of these columns need: the zeros that are not written count.
[[nodiscard]] Statistics moments_of_sparse(const Statistics& statistics);

}  // namespace genera::blocks
