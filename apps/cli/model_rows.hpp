#pragma once

#include "options/source.hpp"

#include <genera/query.hpp>

namespace genera::cli {

/// The rows of `source` with the features of `model`, opened in the same way for every verb: which
/// rows are accepted does not depend on the purpose. Rows to be completed keep all their columns.
/// Rows that are read more than once cannot be answered while they arrive.
[[nodiscard]] RowStream rows_for(ClassifierRef model, const Source& source, Purpose purpose,
                                 Passes passes = Passes::one);

}  // namespace genera::cli
