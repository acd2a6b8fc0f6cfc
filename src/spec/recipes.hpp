#pragma once

#include "spec/draft.hpp"

/// Conversion between drafts and recipes.
namespace genera::spec {

/// The draft of a model before any option is read.
[[nodiscard]] Draft draft_of(const NamedModel& model, std::uint64_t seed);
[[nodiscard]] AnyRecipe recipe_of(const NamedModel& model, const Draft& draft);

/// Throws Error (bad_argument) if the model does not use one of the options that are given.
void refuse_unowned(const std::string& model, const OptionValues& values);

}  // namespace genera::spec
