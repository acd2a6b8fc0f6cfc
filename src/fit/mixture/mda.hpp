#pragma once

#include "fit/mixture/one_gaussian.hpp"

namespace genera::fit_detail {

/// A mixture for each class instead of its one Gaussian; the number of components is chosen by BIC.
/// All rows are learned from.
[[nodiscard]] Fitted<Model> fit_mixtures(const Rows& rows, OneGaussian one, const Recipe& recipe,
                                         const FitOptions& options, const Control& control);

}  // namespace genera::fit_detail
