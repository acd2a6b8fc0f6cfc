#pragma once

#include <optional>
#include <span>

#include <Eigen/Core>

#include <genera/random.hpp>
#include <genera/types.hpp>

namespace genera::diagnose_detail {

/// Mean and covariance of most of some rows, which the others cannot move.
class RobustShape {
 public:
  /// The minimum covariance determinant of three quarters of the rows (Rousseeuw and Van Driessen
  /// 1999), then of all that are near it. Nothing if that many lie in a plane, or if there are
  /// fewer than `min_rows`. `points` is d x n with mean 0.
  [[nodiscard]] static std::optional<RobustShape> of(const Eigen::MatrixXd& points, Rng rng);
  [[nodiscard]] static Index min_rows(Index d) { return 3 * d + 5; }

  [[nodiscard]] Eigen::VectorXd squared_distances(const Eigen::MatrixXd& points) const;
  /// Probability that a row is at least as far out.
  [[nodiscard]] double tail(double squared_distance) const;
  /// Of each column, given the others, in its deviations.
  [[nodiscard]] Eigen::VectorXd conditional_deviations(const Eigen::VectorXd& point) const;

 private:
  RobustShape(Eigen::VectorXd centre, Eigen::MatrixXd lower, double rows);
  /// Of these rows, scaled by the median distance of all.
  [[nodiscard]] static std::optional<RobustShape> of_rows(const Eigen::MatrixXd& points,
                                                          std::span<const Index> kept);

  Eigen::VectorXd centre_;
  Eigen::MatrixXd lower_;  // L L' = covariance
  double rows_;            // behind it
};

}  // namespace genera::diagnose_detail
