#pragma once

#include "spec/draft.hpp"

/// Drafts and recipes: each says what the other does.
namespace genera::spec {

/// What a model is before any option is read.
[[nodiscard]] Draft draft_of(const NamedModel& model, std::uint64_t seed);
[[nodiscard]] AnyRecipe recipe_of(const NamedModel& model, const Draft& draft);

}  // namespace genera::spec
