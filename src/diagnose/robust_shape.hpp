#pragma once

#include <optional>
#include <span>

#include <Eigen/Core>

#include <genera/random.hpp>
#include <genera/types.hpp>

namespace genera::diagnose_detail {

/// Robust mean and covariance of the majority of some rows.
class RobustShape {
 public:
  /// The minimum covariance determinant of three quarters of the rows (Rousseeuw and Van Driessen
  /// 1999), reweighted over all rows near it. Empty if that many rows lie in a hyperplane, or if
  /// there are fewer than `min_rows`. `points` is d x n with mean 0.
  [[nodiscard]] static std::optional<RobustShape> of(const Eigen::MatrixXd& points, Rng rng);
  [[nodiscard]] static Index min_rows(Index d) { return 3 * d + 5; }

  [[nodiscard]] Eigen::VectorXd squared_distances(const Eigen::MatrixXd& points) const;
  /// Probability that a row is at least as far out.
  [[nodiscard]] double tail(double squared_distance) const;
  /// Deviation of each column from its prediction by the others, in conditional standard
  /// deviations.
  [[nodiscard]] Eigen::VectorXd conditional_deviations(const Eigen::VectorXd& point) const;

 private:
  RobustShape(Eigen::VectorXd centre, Eigen::MatrixXd lower, double rows);
  /// Estimate from these rows, scaled by the median distance of all rows.
  [[nodiscard]] static std::optional<RobustShape> of_rows(const Eigen::MatrixXd& points,
                                                          std::span<const Index> kept);

  Eigen::VectorXd centre_;
  Eigen::MatrixXd lower_;  // L L' = covariance
  double rows_;            // number of rows used
};

}  // namespace genera::diagnose_detail
