#pragma once

#include <string>
#include <vector>

#include "blocks/plan.hpp"

/// Counts for models that are not blocks.
namespace genera::blocks {

/// The terms of a text column, the columns of a sparse matrix, or all columns of counts.
struct ClassCounts {
  std::string text{};  ///< name of the text column
  TextOptions text_options{};
  std::vector<std::string> terms{};
  Matrix sums{};     ///< K x terms
  Vector weights{};  ///< K: of the rows with counts
};

/// In the order of the blocks of a multinomial recipe. Columns for which the options leave no term
/// are reported.
[[nodiscard]] std::vector<ClassCounts> class_counts(const PlanInput& input, Report& report);

}  // namespace genera::blocks
