#pragma once

#include <memory>

#include "data/row_reader.hpp"

namespace genera::data {

/// The rows of an svmlight file. Throws Error (bad_argument) on options and roles that speak of
/// columns or cells, which such files do not have.
[[nodiscard]] std::unique_ptr<RowReader> open_svmlight(const RowRequest& request);

}  // namespace genera::data
