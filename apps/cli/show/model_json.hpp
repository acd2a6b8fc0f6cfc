#pragma once

#include <genera/model.hpp>

#include <string>

namespace genera::cli {

/// Everything about a model, exactly.
[[nodiscard]] std::string inspection_json(const Model& model);

}  // namespace genera::cli
