#pragma once

#include <string>
#include <vector>

#include <genera/figure.hpp>

#include "blocks/normals.hpp"

/// Which features are on the axes, how far these reach, and which rows are points there.
namespace genera::figure {

/// Means and covariances of classes, weighted: what separates them.
struct ClassMoments {
  Vector weights{};            ///< K
  Matrix means{};              ///< K x d
  std::vector<Matrix> within;  ///< K covariances d x d
};
/// Of a sum of normal densities.
[[nodiscard]] ClassMoments moments_of(const std::vector<blocks::Normal>& normals,
                                      const Vector& prior);

/// The features on `count` axes: those of the options, and others that separate the classes.
[[nodiscard]] std::vector<std::string> axes_of(ClassifierRef model, Index count,
                                               const Options& options, const Rows* data);
/// The same for rows without a model.
[[nodiscard]] std::vector<std::string> axes_of(const Rows& data, Index count,
                                               const Options& options);

/// Rows as points, with classes by their place among `classes`.
[[nodiscard]] Points points_of(const Rows& data, const std::vector<std::string>& axes,
                               const std::vector<std::string>& classes);
/// The same with what the model predicts for each of them.
[[nodiscard]] Points predicted_points(ClassifierRef model, const Rows& data,
                                      const std::vector<std::string>& axes, const Control& control);

/// Of the options, or such that points and most of the normal densities can be seen. Throws Error
/// (bad_argument) if there is neither.
[[nodiscard]] std::vector<Axis> ranges_for(const std::vector<std::string>& axes,
                                           const Options& options, const Points& points,
                                           const std::vector<blocks::Normal>& normals,
                                           double mass = 0.95);

/// How far a normal density reaches in one direction, in standard deviations, if `mass` of it is
/// inside of an ellipse (an interval, an ellipsoid).
[[nodiscard]] double radius(double mass, Index dimensions);

/// Of all parts, by class.
[[nodiscard]] std::vector<Ellipse> ellipses_of(const std::vector<blocks::Normal>& normals,
                                               const Vector& masses);

}  // namespace genera::figure
