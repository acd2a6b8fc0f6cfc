#pragma once

#include <vector>

#include <genera/report.hpp>

#include "data/csv/roles.hpp"

namespace genera::data {

/// Decisions and doubts worth telling about this layout.
[[nodiscard]] std::vector<Note> describe_choices(const FileColumns& file,
                                                 const RecordLayout& layout,
                                                 const RowRequest& request);

}  // namespace genera::data
