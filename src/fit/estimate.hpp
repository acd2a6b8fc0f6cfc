#pragma once

#include <genera/fit.hpp>

namespace genera::fit_detail {

/// Throws Error (bad_argument) if anything in the recipe is out of range or excludes something
/// else. Called once, where a recipe comes in.
void validate(const Recipe& recipe);

/// estimate() of a recipe that is known to be valid.
[[nodiscard]] Fitted<Model> estimate_valid(const Statistics& statistics, const Recipe& recipe,
                                           const EstimateOptions& options, int threads);

/// Throws Error (bad_model) because every column was left out, with the last reason.
[[noreturn]] void refuse_nothing_left(const Statistics& statistics, const std::vector<Note>& notes);

/// The notes of a report are also those of the model.
[[nodiscard]] Fitted<Model> noted(Model model, Report report);

}  // namespace genera::fit_detail
