#pragma once

#include <genera/types.hpp>

#include "kernel/gather.hpp"

/// The statistics kernels. Rows of a class are read where they lie, and for products copied into a
/// small row-major panel that stays in cache; each entry of a sum is accumulated over the rows in
/// order, so the bits do not depend on the width of the vectors (among instruction sets with fused
/// multiply-add).
namespace genera::kernel {

/// Rows of a panel begin this many doubles apart, zero-padded: whole vectors on every machine.
inline constexpr Index stride_unit = 8;
[[nodiscard]] constexpr Index panel_stride(Index d) {
  return (d + stride_unit - 1) / stride_unit * stride_unit;
}

struct RowPanel {
  double* data;
  Index rows;
  Index columns;  // d
  Index stride;   // panel_stride(d); what lies between is zero
};

// Sums over rows; all arrays have panel_stride(d) entries. What is read next (`ahead`) is asked for
// one line at a time, so that it comes while something is computed.

struct Centring {
  const double* centre;
  const double* weights;  ///< of the rows, or null
};

/// sums[j] += sum of w (x_j - centre_j), squares[j] += sum of w (x_j - centre_j)^2.
void add_deviations(const RowsInMemory& rows, const Centring& by, double* sums, double* squares,
                    const RowsInMemory& ahead = {});
/// sums[j] as above, and (x - centre) sqrt(w) into a panel.
void centre_rows(const RowsInMemory& rows, const Centring& by, double* sums, const RowPanel& to);
/// largest[j] = max(largest[j], |x_j - centre_j|).
void find_largest(const RowsInMemory& rows, const double* centre, double* largest);

/// scatter[i * stride + j] += sum of x_i x_j for j <= i (and some j beyond, to be ignored);
/// `scatter` is stride x stride.
void add_products(const RowPanel& panel, double* scatter, const RowsInMemory& ahead = {});

}  // namespace genera::kernel
