#pragma once

#include <cstdint>

#include "kernel/panel.hpp"

/// Linear functions of rows in place. With few functions, gathering the rows into panels would take
/// most of the time. Lanes are rows here, too: a few columns of as many rows as a vector has lanes
/// are loaded into registers and multiplied there.
namespace genera::kernel {

/// Like affine_products of a panel, with the same bits, for up to sixteen rows and maps to at most
/// `max_products_of_rows()` numbers. Non-finite input propagates to the result.
void affine_products(const AffineMap& map, const RowsInMemory& rows, double* out, Ahead ahead = {});
[[nodiscard]] Index max_products_of_rows();

/// Classifies by scores: offsets + map(x).
struct LinearChoice {
  AffineMap map;
  const double* offsets;
  double limit;  ///< largest magnitude that can be compared
};
/// The class with the largest score of each row, ties to the first. Returns false, with undefined
/// classes, if a value of the map is not finite or the norm of some of them reaches the limit.
[[nodiscard]] bool best_products(const LinearChoice& choice, const StridedRows& rows,
                                 std::int32_t* best, Ahead ahead = {});

}  // namespace genera::kernel
