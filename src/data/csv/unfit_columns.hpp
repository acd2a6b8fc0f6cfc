#pragma once

#include <vector>

#include "data/csv/roles.hpp"

namespace genera::data {

/// Throws Error (bad_data) with all features whose first cells contradict `type`, as which the
/// `untold` ones are read whatever they look like.
void refuse_unfit_columns(const FileColumns& file, const RecordLayout& layout, ColumnType type,
                          const std::vector<bool>& untold);

}  // namespace genera::data
