#pragma once

#include <memory>
#include <optional>
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

/// Widens the x-axis to the ends of the bars, unless the options give its range.
void cover(Frame& frame, const Options& options, const std::optional<Histogram>& histogram);

/// All labels of rows without a model, sorted.
[[nodiscard]] std::vector<std::string> classes_of(const Rows& rows);

/// Rows drawn from the model: `options.draws`, or as many as `data` has points.
[[nodiscard]] Points drawn_points(const Model& model, const Points& data,
                                  const std::vector<std::string>& axes, const Rng& rng,
                                  const Options& options, const Control& control);

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
