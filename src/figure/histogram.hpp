#pragma once

#include <cstdint>
#include <vector>

#include <genera/figure.hpp>

namespace genera::figure {

/// Bars over values of `classes` groups; group -1 counts only in the bars of all rows. Empty
/// `weights` count every value once.
///
/// The width follows Freedman and Diaconis (1981), whose 2 IQR n^(-1/3) minimises the squared error
/// for one density. Its cube is proportional to 1 / (n R), where R is the integral of the squared
/// slope of the density. If classes lie apart, the integrals of p = sum_k c_k p_k add as
/// R = sum_k c_k^2 R_k, and the widths h_k of the classes alone give h^-3 = sum_k c_k h_k^-3. The
/// interquartile range of all rows, which spans the gaps between the classes, would smooth them
/// away. With weights, n is the effective number of rows, (sum w)^2 / sum w^2. If all values are
/// multiples of a unit, such as whole numbers or lengths in millimetres, the width is a multiple
/// of it and values are at the centres of bars of one unit: otherwise some bars would hold more of
/// the possible values than others.
[[nodiscard]] Histogram histogram_of(const Vector& values, const std::vector<std::int32_t>& groups,
                                     Index classes, const Vector& weights = {});

/// The same of one axis of points.
[[nodiscard]] Histogram histogram_of(const Points& points, const std::vector<std::int32_t>& groups,
                                     Index classes);

}  // namespace genera::figure
