#pragma once

#include <Eigen/Core>

#include <genera/types.hpp>

namespace genera::kernel {

/// Directions that separate points, in units of a spread W.
struct Directions {
  Eigen::VectorXd values;   ///< eigenvalues of W^-1 M M' in decreasing order
  Eigen::MatrixXd vectors;  ///< as columns: a'Wa = 1, and the largest entry is positive
};

/// The first `count` directions. `points` is M (d x K); the spread W must be positive definite.
[[nodiscard]] Directions directions(const Eigen::MatrixXd& spread, const Eigen::MatrixXd& points,
                                    Index count);

}  // namespace genera::kernel
