#pragma once

#include "model_facts.hpp"

#include <genera/classifier.hpp>

#include <optional>
#include <string>

namespace genera::cli {

/// Everything about a model, exactly.
[[nodiscard]] std::string inspection_json(ClassifierRef model,
                                          const std::optional<TrainingFit>& training = {});

}  // namespace genera::cli
