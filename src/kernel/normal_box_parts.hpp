#pragma once

#include <vector>

#include "kernel/normal_box.hpp"

/// The numerical integration behind normal_box.
namespace genera::kernel {

/// A box in standard deviations, and the correlations.
struct StandardBox {
  std::vector<Interval> box{};
  Matrix correlation{};
};

/// Two or three columns: adaptive quadrature.
[[nodiscard]] LogProbability box_by_quadrature(const StandardBox& all);

/// Any number of columns: Genz's separation of variables on shifted lattices of at most
/// `max_coordinates` coordinates in total.
[[nodiscard]] LogProbability box_by_lattices(const StandardBox& all, Index max_coordinates,
                                             const Rng& rng, int threads);

}  // namespace genera::kernel
