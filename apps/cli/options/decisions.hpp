#pragma once

#include "options/common.hpp"
#include "options/priors.hpp"

#include <genera/decisions.hpp>

#include <optional>
#include <string>

/// How predict and evaluate turn posterior probabilities into decisions.
namespace genera::cli {

struct DecisionArguments {
  DecisionPriors priors;
  std::optional<std::string> costs;  ///< a file
  std::optional<double> reject;
};

/// `reject`: what the verb does where no class is probable enough.
[[nodiscard]] std::vector<OptionText> decision_texts(const std::string& reject);
[[nodiscard]] DecisionArguments decision_of(const Words& words);

/// Reads the costs, if any. Throws Error (bad_data) with the place in their file.
[[nodiscard]] DecisionRule rule_for(ClassifierRef model, const DecisionArguments& decision,
                                    const Common& common);

/// The model under the priors asked for; those that are estimated are reported, and the rows
/// rewound.
[[nodiscard]] Classifier with_priors_of(Classifier classifier, RowStream& rows,
                                        const DecisionArguments& decision, const Common& common);

}  // namespace genera::cli
