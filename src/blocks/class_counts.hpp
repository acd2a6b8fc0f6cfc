#pragma once

#include <string>
#include <vector>

#include "blocks/plan.hpp"

/// What is counted, for those who make something else of it than a block.
namespace genera::blocks {

/// The terms of a text column, the columns of a sparse matrix, or all columns of counts.
struct ClassCounts {
  std::string text{};  ///< the name of a text column
  TextOptions text_options{};
  std::vector<std::string> terms{};
  Matrix sums{};     ///< K x terms
  Vector weights{};  ///< K: of the rows that have them
};

/// In the order of the blocks that a multinomial recipe would make. What the options leave nothing
/// of is reported.
[[nodiscard]] std::vector<ClassCounts> class_counts(const PlanInput& input, Report& report);

}  // namespace genera::blocks
