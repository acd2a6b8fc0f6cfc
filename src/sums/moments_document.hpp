#pragma once

#include <genera/stats.hpp>

#include "document/fields.hpp"

/// Moments in documents: the members "mean", "mean_low" and "scatter" of an object.
namespace genera::sums {

/// Of a full scatter the lower triangle, row i with i + 1 numbers; of a diagonal d numbers.
void put_moments(const Moments& moments, Scatter kind, document::Members& members);

/// Their weight is left at 0. Throws Error (bad_model) if they are not those of d columns, or if a
/// sum of squares is negative.
[[nodiscard]] Moments read_moments(const document::Field& object, Index d, Scatter kind);

}  // namespace genera::sums
