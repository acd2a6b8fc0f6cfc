#pragma once

#include <optional>

#include "fit/gaussian_input.hpp"

namespace genera::fit_detail {

/// Statistics -> parameters, for every member of the family. What was done beyond the formulas is
/// added to `report`.
[[nodiscard]] GaussianParameters estimate_gaussian(const GaussianInput& input,
                                                   const GaussianOptions& options,
                                                   const std::optional<FourthMoments>& fourth,
                                                   Report& report);

}  // namespace genera::fit_detail
