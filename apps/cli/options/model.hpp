#pragma once

#include "command_line.hpp"

#include <genera/spec.hpp>

#include <string>
#include <vector>

/// What to learn: --model and its options, translated from the table of the library (spec.hpp).
namespace genera::cli {

/// What --model says; lda if there is no such option.
[[nodiscard]] std::string model_name(const Words& words);

/// An option of the table as help shows it.
[[nodiscard]] OptionText option_text(const OptionSpec& option);
[[nodiscard]] OptionText option_text(const std::string& name);  ///< of model_options()
/// --model and the options of models.
[[nodiscard]] OptionGroup model_texts();

/// The values that were given of the options of a table.
[[nodiscard]] OptionValues values_of(const Words& words,
                                     const std::vector<OptionSpec>& table = model_options());
/// What --model and its options ask for. Throws Error (bad_argument) as spec_from does.
[[nodiscard]] FitSpec spec_of(const Words& words);
/// Throws Error (bad_argument) on auto, which is not one model.
[[nodiscard]] AnyRecipe recipe_of(const Words& words);

}  // namespace genera::cli
