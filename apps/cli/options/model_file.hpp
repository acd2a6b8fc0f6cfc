#pragma once

#include "verb.hpp"

#include <genera/classifier.hpp>

#include <optional>
#include <string>

/// The argument MODEL.
namespace genera::cli {

[[nodiscard]] ArgumentText model_argument();

/// Reads MODEL, for a verb that asks it about DATA. Throws Error (bad_model) from loading,
/// (bad_argument) if both are standard input, or the two were swapped.
[[nodiscard]] Classifier load_for(const std::string& path, const std::string& data);

/// The same with the priors asked for in place of its own. Throws Error (bad_argument) if the
/// priors do not fit the classes.
[[nodiscard]] Classifier load_with_priors(const std::string& path, const std::string& data,
                                          const std::optional<PriorChoice>& priors);

/// Throws Error (bad_argument): the priors of a linear model cannot be replaced, as `option` asks.
[[noreturn]] void refuse_other_priors(const LinearModel& model, const std::string& option);

/// The joint distribution that a verb needs. Throws Error (bad_model) if it is a scorer, naming the
/// file and what a scorer cannot do.
[[nodiscard]] Classifier with_density(Classifier classifier, const std::string& path,
                                      const std::string& cannot);
/// The same; a committee is refused, too.
[[nodiscard]] Model density_of(Classifier classifier, const std::string& path,
                               const std::string& cannot);

}  // namespace genera::cli
