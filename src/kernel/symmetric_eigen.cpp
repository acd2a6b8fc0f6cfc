#include "kernel/symmetric_eigen.hpp"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>

namespace genera::kernel {

SymmetricEigen symmetric_eigen(const Matrix& s) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Index d = s.rows();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(
      Eigen::MatrixXd(Eigen::Map<const RowMajor>(s.data(), d, d)));
  SymmetricEigen result{Vector(static_cast<std::size_t>(d)), Matrix(d, d)};
  Eigen::Map<Eigen::VectorXd>(result.values.data(), d) = solver.eigenvalues();
  Eigen::Map<RowMajor>(result.vectors.data(), d, d) = solver.eigenvectors();
  return result;
}

}  // namespace genera::kernel
