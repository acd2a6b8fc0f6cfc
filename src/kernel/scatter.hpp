#pragma once

#include <genera/types.hpp>

#include "kernel/gather.hpp"

/// The statistics kernels. Rows of a class are read in place, and for products copied to a small
/// row-major panel that stays in cache. Each entry of a sum is accumulated over the rows in order,
/// so the bits do not depend on the vector width (among instruction sets with fused multiply-add).
namespace genera::kernel {

/// Rows of a panel are padded with zeros to a multiple of this many doubles: whole vectors on every
/// machine.
inline constexpr Index stride_unit = 8;
[[nodiscard]] constexpr Index panel_stride(Index d) {
  return (d + stride_unit - 1) / stride_unit * stride_unit;
}

struct RowPanel {
  double* data;
  Index rows;
  Index columns;  // d
  Index stride;   // panel_stride(d); padded with zeros
};

// Sums over rows; all arrays have panel_stride(d) entries. `ahead` is memory that is read next; it
// is prefetched line by line during the computation.

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

/// scatter[i * stride + j] += sum of x_i x_j for j <= i (entries with j > i may be changed, too);
/// `scatter` is stride x stride.
void add_products(const RowPanel& panel, double* scatter, const RowsInMemory& ahead = {});

}  // namespace genera::kernel
