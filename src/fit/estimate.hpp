#pragma once

#include <genera/fit.hpp>

namespace genera::fit_detail {

/// Throws Error (bad_argument) if anything in the recipe is out of range or excludes something
/// else. Called once, where a recipe comes in.
void validate(const Recipe& recipe);

/// The notes of a report are also those of the model.
[[nodiscard]] Fitted<Model> noted(Model model, Report report);

}  // namespace genera::fit_detail
