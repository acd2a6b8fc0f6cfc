#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "data/row_source.hpp"

namespace genera::data {

/// Whether the name of a source says so: .svm, .libsvm or .svmlight, perhaps with .gz behind it.
[[nodiscard]] bool is_svmlight(std::string_view source);

/// The rows of an svmlight file. Throws Error (bad_argument) on options and roles that speak of
/// columns or cells, which such files do not have.
[[nodiscard]] std::unique_ptr<RowSource> open_svmlight(const std::string& source,
                                                       const CsvOptions& options,
                                                       const Roles& roles);

}  // namespace genera::data
