#pragma once

#include <genera/classifier.hpp>

#include <string>

/// The boundaries between pairs of classes, as a table.
namespace genera::cli {

[[nodiscard]] std::string boundaries_table(ClassifierRef model);

}  // namespace genera::cli
