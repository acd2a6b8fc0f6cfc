#include "kernel/dense.hpp"

#include <utility>

#include <Eigen/Cholesky>

namespace genera::kernel {

Eigen::MatrixXd product(const Eigen::Ref<const Eigen::MatrixXd>& a,
                        const Eigen::Ref<const Eigen::MatrixXd>& b) {
  return a * b;
}

Eigen::MatrixXd transposed_product(const Eigen::Ref<const Eigen::MatrixXd>& a,
                                   const Eigen::Ref<const Eigen::MatrixXd>& b) {
  return a.transpose() * b;
}

Eigen::MatrixXd weighted_square(const Eigen::MatrixXd& a, const Eigen::VectorXd& weights) {
  const Eigen::MatrixXd weighted = a * weights.asDiagonal();
  return weighted * a.transpose();
}

std::optional<Eigen::MatrixXd> lower_of(const Eigen::MatrixXd& s) {
  const Eigen::LLT<Eigen::MatrixXd> factor(s);
  if (factor.info() != Eigen::Success) return std::nullopt;
  return factor.matrixL();
}

Eigen::MatrixXd solve_lower(const Eigen::MatrixXd& lower, Eigen::MatrixXd b) {
  lower.triangularView<Eigen::Lower>().solveInPlace(b);
  return b;
}

Eigen::MatrixXd solve_lower_transposed(const Eigen::MatrixXd& lower, Eigen::MatrixXd b) {
  lower.transpose().triangularView<Eigen::Upper>().solveInPlace(b);
  return b;
}

}  // namespace genera::kernel
