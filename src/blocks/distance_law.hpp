#pragma once

namespace genera::blocks {

/// Distribution of the squared Mahalanobis distance D^2 of a new row over d columns: scale D^2 (nu
/// - d + 1) / (nu d) has an F distribution with d and nu - d + 1 degrees of freedom; chi-squared
/// for infinite nu.
struct DistanceDistribution {
  double scale, nu;
};

}  // namespace genera::blocks
