#pragma once

#include <string>

/// What each model is, for `help models` and `help MODEL`.
namespace genera::cli {

/// A list of all models with one line each.
[[nodiscard]] std::string help_of_models();
/// The line of a model and the options that it uses.
[[nodiscard]] std::string help_of_model(const std::string& name);
/// The model that `word` names, in capitals too; empty if it names none.
[[nodiscard]] std::string model_in_words(std::string word);

}  // namespace genera::cli
