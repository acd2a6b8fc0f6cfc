#pragma once

#include "arguments.hpp"

#include <genera/decisions.hpp>

/// What predict and evaluate have in common when they decide.
namespace genera::cli {

/// Reads the costs, if any. Throws Error (bad_data) with the place in their file.
[[nodiscard]] DecisionRule rule_for(const Model& model, const DecisionArguments& decision,
                                    const Common& common);

/// The model under the priors asked for; those that are estimated are said, and the rows rewound.
[[nodiscard]] Model with_priors_of(Model model, RowStream& rows, const DecisionArguments& decision,
                                   const Common& common);

/// Throws Error (bad_argument) if tails cannot be told apart below `below`, (bad_model) for a
/// scorer.
[[nodiscard]] OutlierTail tail_below(const Model& model, double below, const Common& common);

/// "3 of 150 rows (2%)"
[[nodiscard]] std::string share_of_rows(Index part, Index rows);

}  // namespace genera::cli
