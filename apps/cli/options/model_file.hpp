#pragma once

#include "verb.hpp"

#include <genera/model.hpp>

#include <optional>
#include <string>

/// The argument MODEL.
namespace genera::cli {

[[nodiscard]] ArgumentText model_argument();

/// Reads MODEL and puts the priors asked for in place of its own.
/// Throws Error (bad_model) from loading, (bad_argument) if the priors do not fit the classes.
[[nodiscard]] Model load_with_priors(const std::string& path,
                                     const std::optional<PriorChoice>& priors);

}  // namespace genera::cli
