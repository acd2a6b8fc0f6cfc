#pragma once

namespace genera::blocks {

/// The law of the squared Mahalanobis distance D^2 of a new row over d columns: scale D^2 (nu - d +
/// 1) / (nu d) is an F variable with d and nu - d + 1 degrees of freedom; infinite nu: chi-squared.
struct DistanceDistribution {
  double scale, nu;
};

}  // namespace genera::blocks
