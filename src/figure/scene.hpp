#pragma once

#include <memory>
#include <string>
#include <vector>

#include "figure/axes.hpp"
#include "figure/shown.hpp"

namespace genera::figure {

/// A model, the features on the axes and the points to show.
struct Scene {
  std::vector<std::string> axes{};
  Frame frame{};
  std::vector<blocks::Normal> normals{};
  Points points{};
  std::unique_ptr<const Shown> model{};
};

/// With `count` axes whose ranges cover `mass` of the normal densities and all rows.
[[nodiscard]] Scene scene_of(ClassifierRef model, const Rows* data, const Options& options,
                             Index count, double mass, const Control& control);

/// For two axes.
[[nodiscard]] Regions regions_of(Scene scene, const Vector& prior, const Options& options);
/// For one axis; a linear model has no density.
[[nodiscard]] Line line_of(Scene scene, const Vector& prior, const Options& options,
                           bool has_density);

/// Masses from the options, or suitable ones for this number of Gaussians or classes.
[[nodiscard]] Vector masses_for(const Options& options, std::size_t count);

/// Adds a sentence to the caption unless it is empty.
void say(Frame& frame, std::string sentence);
void say_left_out(Frame& frame, const Points& points);
void say_unknown(Frame& frame, const Points& points);

/// Elementwise exp, and row sums.
[[nodiscard]] Matrix exp_of(Matrix values);
[[nodiscard]] Vector sums_of_rows(const Matrix& values);

}  // namespace genera::figure
