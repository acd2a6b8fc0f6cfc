#pragma once

#include "fit/mixture/class_gaussians.hpp"

namespace genera::fit_detail {

/// Replaces the Gaussian of each class by kernel densities: one component per row, or per row of a
/// stratified sample.
[[nodiscard]] Fitted<Model> fit_kernels(const Rows& rows, ClassGaussians gaussians,
                                        const Recipe& recipe, const Control& control);

}  // namespace genera::fit_detail
