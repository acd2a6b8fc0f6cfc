#pragma once

#include <memory>
#include <string>

#include "data/row_source.hpp"

namespace genera::data {

/// The rows of a CSV/TSV text, as CsvOptions and Roles say.
[[nodiscard]] std::unique_ptr<RowSource> open_csv(const std::string& source,
                                                  const CsvOptions& options, const Roles& roles);

}  // namespace genera::data
