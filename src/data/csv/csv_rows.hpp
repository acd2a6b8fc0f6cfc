#pragma once

#include <memory>

#include "data/row_reader.hpp"

namespace genera::data {

/// The rows of a CSV/TSV text.
[[nodiscard]] std::unique_ptr<RowReader> open_csv(const RowRequest& request);

}  // namespace genera::data
