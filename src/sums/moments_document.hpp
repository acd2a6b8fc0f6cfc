#pragma once

#include <genera/stats.hpp>

#include "document/fields.hpp"

/// Moments in documents: the members "mean", "mean_low" and "scatter" of an object.
namespace genera::sums {

/// Writes the lower triangle of a full scatter, row i with i + 1 numbers, or the d numbers of a
/// diagonal one.
void put_moments(const Moments& moments, Scatter kind, document::Members& members);

/// Sets the weight to 0. Throws Error (bad_model) if the sizes do not fit d columns, or a sum of
/// squares is negative.
[[nodiscard]] Moments read_moments(const document::Field& object, Index d, Scatter kind);

}  // namespace genera::sums
