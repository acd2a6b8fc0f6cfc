#pragma once

#include "command_line.hpp"

#include <genera/model.hpp>

#include <optional>
#include <string>

/// --priors, which fit, the verbs that ask a model, and those that decide read each in their way.
namespace genera::cli {

[[nodiscard]] OptionText priors_text();
[[nodiscard]] OptionText decision_priors_text();

[[nodiscard]] std::optional<PriorChoice> priors_of(const Words& words);

/// Of verbs that decide, which may estimate the priors from the rows.
struct DecisionPriors {
  std::optional<PriorChoice> given;
  bool estimate = false;  ///< instead: from the rows themselves
};
[[nodiscard]] DecisionPriors decision_priors_of(const Words& words);

}  // namespace genera::cli
