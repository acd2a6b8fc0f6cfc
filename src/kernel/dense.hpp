#pragma once

#include <optional>

#include <Eigen/Core>

/// Products and factors of dense matrices as plain functions, because each instantiation of the
/// Eigen expressions takes seconds to compile.
namespace genera::kernel {

/// a b, with one column or many.
[[nodiscard]] Eigen::MatrixXd product(const Eigen::Ref<const Eigen::MatrixXd>& a,
                                      const Eigen::Ref<const Eigen::MatrixXd>& b);
/// a' b
[[nodiscard]] Eigen::MatrixXd transposed_product(const Eigen::Ref<const Eigen::MatrixXd>& a,
                                                 const Eigen::Ref<const Eigen::MatrixXd>& b);
/// a w a', w diagonal.
[[nodiscard]] Eigen::MatrixXd weighted_square(const Eigen::MatrixXd& a,
                                              const Eigen::VectorXd& weights);

/// L with L L' = s; empty if s is not numerically positive definite.
[[nodiscard]] std::optional<Eigen::MatrixXd> lower_of(const Eigen::MatrixXd& s);
/// L^-1 b
[[nodiscard]] Eigen::MatrixXd solve_lower(const Eigen::MatrixXd& lower, Eigen::MatrixXd b);
/// L'^-1 b
[[nodiscard]] Eigen::MatrixXd solve_lower_transposed(const Eigen::MatrixXd& lower,
                                                     Eigen::MatrixXd b);

}  // namespace genera::kernel
