#pragma once

#include <genera/types.hpp>

/// Operations of softmax regression on panels (kernel/panel.hpp: lanes are rows), in addition to
/// products and softmax.
namespace genera::kernel {

/// out = w p for each class: K x 16.
void weigh(const double* probabilities, Index classes, const double* weights, double* out);

/// out_k = w p_k (u_k - sum_l p_l u_l): the curvature of the loss of a row along u. `out` may be u.
void weigh_along(const double* probabilities, const double* along, Index classes,
                 const double* weights, double* out);

/// Consecutive panels; rows of a panel are 16 doubles apart.
struct PanelSpan {
  const double* data;
  Index rows;  ///< of each panel
};

/// Tile sizes of left and right; the number of rows of a panel is a multiple of these.
inline constexpr Index left_tile = 3, right_tile = 4;
/// Number of lanes in which sums are kept until all panels are added.
inline constexpr Index sum_lanes = 8;

/// sums[(i * right.rows + j) * 8 + lane] += left_i right_j, over `panels` panels of sixteen rows of
/// data; sixteen lanes are folded into eight.
void add_outer_products(const PanelSpan& left, const PanelSpan& right, Index panels, double* sums);

/// Sum over the lanes in a fixed order.
[[nodiscard]] inline double added_up(const double* lanes) {
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
         ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

}  // namespace genera::kernel
