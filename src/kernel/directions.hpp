#pragma once

#include <Eigen/Core>

#include <genera/types.hpp>

namespace genera::kernel {

/// Directions in which points lie apart, in units of a spread W.
struct Directions {
  Eigen::VectorXd values;   ///< eigenvalues of W^-1 M M', the largest first
  Eigen::MatrixXd vectors;  ///< as columns: a'Wa = 1, and the largest entry is positive
};

/// The first `count` of them. `points` is M (d x K), `spread` W is positive definite.
[[nodiscard]] Directions directions(const Eigen::MatrixXd& spread, const Eigen::MatrixXd& points,
                                    Index count);

}  // namespace genera::kernel
