#pragma once

#include <vector>

#include "data/csv/roles.hpp"

namespace genera::data {

/// Throws Error (bad_data) with all features whose first cells contradict `type`, as which the
/// `not_given` ones are read whatever they look like.
void refuse_unfit_columns(const FileColumns& file, const RecordLayout& layout, ColumnType type,
                          const std::vector<bool>& not_given);

}  // namespace genera::data
