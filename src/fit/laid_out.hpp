#pragma once

#include <string>
#include <vector>

#include <genera/rows.hpp>
#include <genera/stats.hpp>

namespace genera::fit_detail {

/// The columns of a sparse matrix of which all cells are to be laid out, for full covariances; of
/// its statistics. Throws Error (bad_data) if there are too many; `source` is its name in errors.
[[nodiscard]] std::vector<std::string> columns_to_lay_out(const Statistics& sparse,
                                                          const std::string& source);

/// The same rows with all cells of the sparse matrix, zeros included.
[[nodiscard]] Table laid_out(const Rows& rows);

}  // namespace genera::fit_detail
