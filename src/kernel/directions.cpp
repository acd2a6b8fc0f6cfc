#include "kernel/directions.hpp"

#include "kernel/dense.hpp"
#include "kernel/eigen_of.hpp"

namespace genera::kernel {

Directions directions(const Eigen::MatrixXd& spread, const Eigen::MatrixXd& points, Index count) {
  const Eigen::MatrixXd lower = lower_of(spread).value();
  const Eigen::MatrixXd white = solve_lower(lower, points);  // d x K
  const EigenOf found =                                      // in increasing order
      eigen_of(weighted_square(white, Eigen::VectorXd::Ones(white.cols())));
  Directions to{found.values.tail(count).reverse().cwiseMax(0),
                solve_lower_transposed(lower, found.vectors.rightCols(count).rowwise().reverse())};
  for (Index i = 0; i < count; ++i) {
    Index largest = 0;
    to.vectors.col(i).cwiseAbs().maxCoeff(&largest);
    if (to.vectors(largest, i) < 0) to.vectors.col(i) *= -1;
  }
  return to;
}

}  // namespace genera::kernel
