#pragma once

#include <span>

#include <genera/block_description.hpp>

namespace genera::blocks {

struct TotalMoments {
  Vector mean;        ///< d
  Matrix covariance;  ///< d x d
  Matrix means{};     ///< K x d: means of the densities
  Matrix within{};    ///< d x d: mean of their covariances
};

/// Mean and covariance of a mixture of densities that are products of parts, by the law of total
/// covariance: the mean of the covariances plus the covariance of the means. The columns of the
/// parts are concatenated; `weights` sum to one.
[[nodiscard]] TotalMoments total_moments(std::span<const double> weights,
                                         std::span<const BlockDescription::Moments> parts);

}  // namespace genera::blocks
