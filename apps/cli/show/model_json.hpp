#pragma once

#include <genera/classifier.hpp>

#include <string>

namespace genera::cli {

/// Everything about a model, exactly.
[[nodiscard]] std::string inspection_json(ClassifierRef model);

}  // namespace genera::cli
