#pragma once

#include <string>
#include <vector>

#include <genera/figure.hpp>

#include "blocks/normals.hpp"

/// Choice of the axes and their ranges, and of the rows shown as points.
namespace genera::figure {

/// Weighted means and covariances of classes, which determine their separation.
struct ClassMoments {
  Vector weights{};            ///< K
  Matrix means{};              ///< K x d
  std::vector<Matrix> within;  ///< K covariances d x d
};
/// Moments of a sum of normal densities.
[[nodiscard]] ClassMoments moments_of(const std::vector<blocks::Normal>& normals,
                                      const Vector& prior);

/// Features on `count` axes: those of the options, then others that separate the classes.
[[nodiscard]] std::vector<std::string> axes_of(ClassifierRef model, Index count,
                                               const Options& options, const Rows* data);
/// The same for rows without a model.
[[nodiscard]] std::vector<std::string> axes_of(const Rows& data, Index count,
                                               const Options& options);

/// Rows as points, with indices into `classes`.
[[nodiscard]] Points points_of(const Rows& data, const std::vector<std::string>& axes,
                               const std::vector<std::string>& classes);
/// The same with predictions of the model.
[[nodiscard]] Points predicted_points(ClassifierRef model, const Rows& data,
                                      const std::vector<std::string>& axes, const Control& control);

/// Ranges from the options, or such that points and most of the normal densities are visible.
/// Throws Error (bad_argument) if there is neither.
[[nodiscard]] std::vector<Axis> ranges_for(const std::vector<std::string>& axes,
                                           const Options& options, const Points& points,
                                           const std::vector<blocks::Normal>& normals,
                                           double mass = 0.95);

/// Radius, in standard deviations, of the interval, ellipse or ellipsoid that contains `mass` of a
/// normal distribution.
[[nodiscard]] double radius(double mass, Index dimensions);

/// Ellipses of all components, by class.
[[nodiscard]] std::vector<Ellipse> ellipses_of(const std::vector<blocks::Normal>& normals,
                                               const Vector& masses);

}  // namespace genera::figure
