#pragma once

#include <Eigen/Core>

#include "kernel/symmetric_eigen.hpp"

namespace genera::kernel {

struct EigenOf {
  Eigen::VectorXd values;   // in increasing order
  Eigen::MatrixXd vectors;  // as columns
};

/// Eigendecomposition of a symmetric matrix.
[[nodiscard]] inline EigenOf eigen_of(const Eigen::MatrixXd& s) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Index d = s.rows();
  Matrix copy(d, d);
  Eigen::Map<RowMajor>(copy.data(), d, d) = s;
  const SymmetricEigen found = symmetric_eigen(copy);
  return {Eigen::Map<const Eigen::VectorXd>(found.values.data(), d),
          Eigen::Map<const RowMajor>(found.vectors.data(), d, d)};
}

}  // namespace genera::kernel
