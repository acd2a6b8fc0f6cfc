#pragma once

#include <optional>

#include "fit/gaussian_input.hpp"

namespace genera::fit_detail {

/// Statistics -> parameters, for every member of the family. What was done beyond the formulas is
/// added to the notes of `input`.
[[nodiscard]] GaussianParameters estimate_gaussian(GaussianInput& input,
                                                   const GaussianOptions& options,
                                                   const std::optional<FourthMoments>& fourth);

}  // namespace genera::fit_detail
