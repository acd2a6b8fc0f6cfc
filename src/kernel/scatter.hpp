#pragma once

#include <span>

#include <genera/types.hpp>

/// The statistics kernels. Rows of one class are copied into a small row-major panel that stays in
/// cache; each entry of a sum is accumulated over the rows in order, so the bits do not depend on
/// the width of the vectors (among instruction sets with fused multiply-add).
namespace genera::kernel {

/// Rows of a panel begin this many doubles apart, zero-padded: whole vectors on every machine.
inline constexpr Index stride_unit = 24;
[[nodiscard]] constexpr Index panel_stride(Index d) {
  return (d + stride_unit - 1) / stride_unit * stride_unit;
}

struct RowPanel {
  double* data;
  Index rows;
  Index columns;  // d
  Index stride;   // panel_stride(d); what lies between is zero
};

// Sums over the rows of a panel; `weights` may be null. All arrays have panel.stride entries.

/// sums[j] += sum of w x_j.
void add_sums(const RowPanel& panel, const double* weights, double* sums);

/// What rows are centred by, and where sums of what is left go.
struct Centring {
  const double* mean;
  const double* weights;
  double* residuals;  ///< residuals[j] += sum of w (x_j - mean_j)
  double* squares;    ///< squares[j] += sum of w (x_j - mean_j)^2
};
void add_deviations(const RowPanel& panel, const Centring& centring);
/// The same, and x -= mean in place.
void centre_rows(const RowPanel& panel, const Centring& centring);

/// Where rows lie that are read next: the products ask for them one line at a time, so that they
/// come while something is computed.
struct RowsAhead {
  std::span<const char* const> rows{};
  Index bytes = 0;  ///< of each
};

/// scatter[i * stride + j] += sum of x_i x_j for j <= i (and some j beyond, to be ignored);
/// `scatter` is stride x stride.
void add_products(const RowPanel& panel, double* scatter, const RowsAhead& ahead = {});

}  // namespace genera::kernel
