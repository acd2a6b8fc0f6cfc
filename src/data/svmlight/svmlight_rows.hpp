#pragma once

#include <memory>

#include "data/row_reader.hpp"

namespace genera::data {

/// The rows of an svmlight file. Throws Error (bad_argument) for options and roles that refer to
/// columns or cells.
[[nodiscard]] std::unique_ptr<RowReader> open_svmlight(const RowRequest& request);

}  // namespace genera::data
