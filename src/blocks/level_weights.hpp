#pragma once

#include <string>
#include <vector>

#include "blocks/plan.hpp"

namespace genera::blocks {

/// The weight of each level of a coded column in each class, K x levels.
[[nodiscard]] Matrix level_weights(const Statistics& statistics, const sums::ClassList& classes,
                                   std::size_t coded, const std::vector<std::string>& levels);

/// The levels that occur in any class, in the order of the model: a level whose rows were all
/// forgotten was never seen.
[[nodiscard]] std::vector<std::string> levels_seen(const PlanInput& input, std::size_t coded);

}  // namespace genera::blocks
