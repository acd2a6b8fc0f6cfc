#pragma once

#include <cstdint>

#include "kernel/panel.hpp"

/// Linear functions of rows where they lie: with few of them the way into a panel would take most
/// of the time. Lanes are rows here, too: a few columns of as many rows as a vector has lanes
/// become vectors in registers and are multiplied there.
namespace genera::kernel {

/// As of a panel, with the same bits, of up to sixteen rows, for maps to at most
/// `most_products_of_rows()` numbers. What is not finite shows in the result.
void affine_products(const AffineMap& map, const RowsInMemory& rows, double* out, Ahead ahead = {});
[[nodiscard]] Index max_products_of_rows();

/// Classes by their scores: offsets + map(x).
struct LinearChoice {
  AffineMap map;
  const double* offsets;
  double limit;  ///< of what can be compared
};
/// The class of the largest score of each row, ties to the first. False (and no promise about the
/// classes) if a value of the map is not finite, or the root of the sum of some of their squares
/// reaches the limit.
[[nodiscard]] bool best_products(const LinearChoice& choice, const StridedRows& rows,
                                 std::int32_t* best, Ahead ahead = {});

}  // namespace genera::kernel
