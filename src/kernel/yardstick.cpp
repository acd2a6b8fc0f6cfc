#include "kernel/yardstick.hpp"

#include <algorithm>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>

namespace genera::kernel {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::MatrixXd scaled(const Matrix& s, const Eigen::VectorXd& inverse_sd) {
  const Eigen::Map<const RowMajor> matrix(s.data(), s.rows(), s.columns());
  return inverse_sd.asDiagonal() * matrix * inverse_sd.asDiagonal();
}

}  // namespace

struct Yardstick::State {
  Eigen::VectorXd inverse_sd;
  Eigen::MatrixXd correlations;
  Eigen::LLT<Eigen::MatrixXd> factor;
};

Yardstick::Yardstick(const Matrix& reference) {
  State state;
  const Eigen::Map<const RowMajor> matrix(reference.data(), reference.rows(), reference.columns());
  state.inverse_sd = matrix.diagonal().cwiseSqrt().cwiseInverse();
  state.correlations = scaled(reference, state.inverse_sd);
  state.factor.compute(state.correlations);
  state_ = std::make_unique<const State>(std::move(state));
}
Yardstick::~Yardstick() = default;
Yardstick::Yardstick(Yardstick&&) noexcept = default;
Yardstick& Yardstick::operator=(Yardstick&&) noexcept = default;

std::optional<double> Yardstick::shortfall(const Matrix& s, double least) const {
  const Eigen::MatrixXd r = scaled(s, state_->inverse_sd);
  const Eigen::MatrixXd rest = r - least * state_->correlations;
  if (Eigen::LLT<Eigen::MatrixXd>(rest).info() == Eigen::Success) return std::nullopt;
  const Eigen::MatrixXd half = state_->factor.matrixL().solve(r);
  const Eigen::MatrixXd whitened = state_->factor.matrixL().solve(half.transpose());
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(whitened, Eigen::EigenvaluesOnly);
  return std::clamp(solver.eigenvalues().minCoeff(), 0.0, least);
}

}  // namespace genera::kernel
