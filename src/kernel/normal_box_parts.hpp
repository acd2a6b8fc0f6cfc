#pragma once

#include <vector>

#include "kernel/lattice_points.hpp"
#include "kernel/normal_box.hpp"

/// The numerical integration behind NormalBox.
namespace genera::kernel {

/// A box in standard deviations, the least probable column first, and the lower triangle of the
/// correlations, whose rows are padded to a multiple of `outer_columns`.
struct StandardBox {
  std::vector<Interval> box{};
  Matrix correlation{};
};

/// A probability of one column takes as long as so many evaluations on a lattice.
inline constexpr Index scalar_evaluations = 5;

/// Two or three columns: adaptive quadrature.
[[nodiscard]] LogProbability box_by_quadrature(const StandardBox& all);
/// More evaluations than quadrature of three columns takes, each of which takes as long as ten on a
/// lattice.
inline constexpr Index max_quadrature_evaluations = 300'000;

/// Means around which the variables are drawn so that the integrand varies little.
[[nodiscard]] Vector saddle_point_tilts(const SeparatedBox& box);
/// Bounds the one-dimensional laws that these take.
constexpr Index max_tilt_evaluations(Index columns) { return 20 + 3 * columns; }

/// The work until the first points of so many columns are summed.
[[nodiscard]] Index first_evaluations(Index columns);

/// Any number of columns: Genz's separation of variables on shifted lattices.
class BoxLattice {
 public:
  BoxLattice(const StandardBox& all, const Rng& rng);

  [[nodiscard]] Index evaluations() const;
  [[nodiscard]] Index next_evaluations() const;
  void refine(int threads);  ///< doubles the points
  /// The mean over the shifts; its error covers the truth in more than 99 % of boxes.
  [[nodiscard]] LogProbability estimate() const;

 private:
  SeparatedBox problem_;
  ShiftedLattice lattice_;
  LatticeSums sums_;
  Index points_ = 0;    // of each shift
  bool steep_ = false;  // the integrand has steps, which no point may have met
};

}  // namespace genera::kernel
