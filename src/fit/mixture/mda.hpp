#pragma once

#include "fit/mixture/class_gaussians.hpp"

namespace genera::fit_detail {

/// A mixture for each class instead of its one Gaussian; the number of components is chosen by BIC.
/// All rows are learned from.
[[nodiscard]] Fitted<Model> fit_mixtures(const Rows& rows, ClassGaussians gaussians,
                                         const Recipe& recipe, const FitOptions& options,
                                         const Control& control);

}  // namespace genera::fit_detail
