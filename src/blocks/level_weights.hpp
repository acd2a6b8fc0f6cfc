#pragma once

#include <string>
#include <vector>

#include "blocks/plan.hpp"

namespace genera::blocks {

/// Weight of each level of a coded column in each class, K x levels.
[[nodiscard]] Matrix level_weights(const Statistics& statistics, const sums::ClassList& classes,
                                   std::size_t coded, const std::vector<std::string>& levels);

/// Levels that occur in some class, in the order of the model; levels whose rows were all forgotten
/// do not count.
[[nodiscard]] std::vector<std::string> levels_seen(const PlanInput& input, std::size_t coded);

}  // namespace genera::blocks
