#pragma once

#include "command_line.hpp"

#include <genera/fit.hpp>
#include <genera/mixture.hpp>

#include <string>
#include <vector>

/// What to learn: --model and everything that belongs to one of its models.
namespace genera::cli {

/// What --model says; lda if there is no such option.
[[nodiscard]] NamedModel named_model(const Words& words);
/// Throws Error (bad_argument) if one of the names that this option gives is none that --model has.
void refuse_unknown_models(const std::string& option, const std::vector<std::string>& names);

[[nodiscard]] OptionGroup model_texts();
/// Throws Error (bad_argument) on auto, which is not one model.
[[nodiscard]] AnyRecipe recipe_of(const Words& words);
/// What all models that auto tries have in common.
[[nodiscard]] Recipe base_of_auto(const Words& words);

/// The three that mixtures without classes have too: --components, --covariance, --starts.
[[nodiscard]] MixtureOptions mixture_of(const Words& words, MixtureOptions::Range components);
[[nodiscard]] Family parse_covariance(const std::string& text);
[[nodiscard]] std::vector<std::string> covariance_names();
[[nodiscard]] OnSingular parse_on_singular(const std::string& text);

}  // namespace genera::cli
