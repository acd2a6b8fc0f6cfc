#pragma once

#include "fit/mixture/class_gaussians.hpp"

namespace genera::fit_detail {

/// Replaces the Gaussian of each class by a mixture whose number of components is chosen by BIC.
/// Uses all rows.
[[nodiscard]] Fitted<Model> fit_mixtures(const Rows& rows, ClassGaussians gaussians,
                                         const Recipe& recipe, const FitOptions& options,
                                         const Control& control);

}  // namespace genera::fit_detail
