#pragma once

#include <genera/fit.hpp>

namespace genera::fit_detail {

/// Throws Error (bad_argument) if a value in the recipe is out of range or options exclude each
/// other. Public functions that take a recipe call it once.
void validate(const Recipe& recipe);

/// Throw Error (bad_argument) if the recipe cannot be fitted with missing values, or from
/// statistics without rows.
void refuse_missing(const Recipe& recipe);
void refuse_without_rows(const Recipe& recipe);

/// Throws Error (bad_argument) if the statistics lack sums that the recipe needs.
void refuse_unfit(const Statistics& statistics, const Recipe& recipe,
                  const std::optional<FourthMoments>& fourth);

/// Throws Error (bad_argument) if sums of partitions do not cover all rows of the plan. Weights may
/// differ by rounding, because they are added in another order.
void require_all_rows(double weight, double weight_of_plan);

}  // namespace genera::fit_detail
