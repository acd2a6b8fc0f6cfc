#pragma once

#include <genera/fit.hpp>

namespace genera::fit_detail {

/// Maximum likelihood of rows of which numbers, cells of a joint table or labels are missing, under
/// missing-at-random. Starts from what is observed, column by column. Throws Error (bad_data) if a
/// class has no value in a column, or if no row has a label; and whatever estimate() throws.
[[nodiscard]] Fitted<Model> fit_by_em(const Table& table, const Recipe& recipe,
                                      const FitOptions& options, const Control& control);

}  // namespace genera::fit_detail
