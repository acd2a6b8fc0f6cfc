#pragma once

#include <genera/fit.hpp>

namespace genera::fit_detail {

/// Throws Error (bad_argument) if anything in the recipe is out of range or excludes something
/// else. Called once, where a recipe comes in.
void validate(const Recipe& recipe);

/// Throw Error (bad_argument) if the recipe cannot be learned where something is missing, or from
/// statistics alone.
void refuse_missing(const Recipe& recipe);
void refuse_without_rows(const Recipe& recipe);

/// Throws Error (bad_argument) if the statistics do not keep what the recipe needs.
void refuse_unfit(const Statistics& statistics, const Recipe& recipe,
                  const std::optional<FourthMoments>& fourth);

/// Throws Error (bad_argument) if sums of partitions are not of all rows of the plan. Weights that
/// were added in another order are the same.
void require_all_rows(double weight, double weight_of_plan);

}  // namespace genera::fit_detail
