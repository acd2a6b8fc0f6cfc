#pragma once

#include <span>

#include "score/bound_model.hpp"

namespace genera::score {

/// Whether a number is so large that scores may overflow.
[[nodiscard]] bool has_far_number(std::span<const double> row);

/// Throws Error (bad_data) if the classes cannot be compared for a row because a number in it is so
/// large that the scores overflow; names the row and the largest of its numbers.
void refuse_far_rows(const BoundModel& bound);

}  // namespace genera::score
