#pragma once

#include <span>

#include "score/bound_model.hpp"

namespace genera::score {

/// True if a number is so large that scores may overflow.
[[nodiscard]] bool has_far_number(std::span<const double> row);

/// Throws Error (bad_data) if the classes cannot be compared for some row because its scores
/// overflow; names the row and the largest of its numbers.
void refuse_far_rows(const BoundModel& bound);

}  // namespace genera::score
