#include "figure/scene.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "figure/tracing.hpp"
#include "figure/shown_committee.hpp"

namespace genera::figure {

void say(Frame& frame, std::string sentence) {
  if (!sentence.empty()) frame.caption.push_back(std::move(sentence));
}

namespace {

bool lies_outside(const Frame& frame, const Points& points, std::size_t i) {
  for (std::size_t a = 0; a < std::min(frame.axes.size(), points.at.size()); ++a) {
    const Range& range = frame.axes[a].range;
    if (points.at[a][i] < range.low || points.at[a][i] > range.high) return true;
  }
  return false;
}

}  // namespace

void say_left_out(Frame& frame, const Points& points) {
  Index outside = 0;
  for (Index i = 0; i < points.count(); ++i)
    outside += lies_outside(frame, points, static_cast<std::size_t>(i)) ? 1 : 0;
  if (outside > 0) say(frame, counted(outside, "point lies", "points lie") + " outside the axes");
  if (points.left_out > 0)
    say(frame, fmt::format("{} a number shown {} left out",
                           counted(points.left_out, "row that lacks", "rows that lack"),
                           points.left_out == 1 ? "is" : "are"));
}

void say_unknown(Frame& frame, const Points& points) {
  const auto unknown = std::ranges::count(points.classes, -1);
  if (unknown > 0)
    say(frame, counted(unknown, "grey point has", "grey points have") + " no class of the model");
}

Matrix exp_of(Matrix values) {
  for (Index i = 0; i < values.rows(); ++i)
    for (double& value : values.row(i)) value = std::exp(value);
  return values;
}

Vector sums_of_rows(const Matrix& values) {
  Vector sums;
  for (Index i = 0; i < values.rows(); ++i) {
    const std::span<const double> row = values.row(i);
    sums.push_back(std::accumulate(row.begin(), row.end(), 0.0));
  }
  return sums;
}

namespace {

void require_usable(const Options& options) {
  if (options.columns < 2 || options.rows < 2)
    throw Error(
        Errc::bad_argument,
        fmt::format("a grid of {} by {} places has no cells", options.columns, options.rows),
        "give it at least two columns and two rows");
  for (const double mass : options.masses) {
    if (!(mass > 0 && mass < 1))
      throw Error(Errc::bad_argument, fmt::format("no contour holds a share of {}", mass),
                  "write a probability between 0 and 1, such as 0.9");
  }
}

}  // namespace

Scene scene_of(ClassifierRef model, const Rows* data, const Options& options, Index count,
               double mass, const Control& control) {
  require_usable(options);
  Scene scene{.axes = axes_of(model, count, options, data)};
  if (const Model* joint = leading_model(model)) scene.normals = normals(*joint, scene.axes);
  if (data) scene.points = predicted_points(model, *data, scene.axes, control);
  scene.frame = {.axes = ranges_for(scene.axes, options, scene.points, scene.normals, mass),
                 .classes = model.classes(),
                 .target = model.target()};
  scene.model = shown(model, scene.axes, options.others, control);
  say(scene.frame, scene.model->about_others());
  say_left_out(scene.frame, scene.points);
  say_unknown(scene.frame, scene.points);
  if (std::ranges::any_of(scene.normals, &blocks::Normal::approximate))
    say(scene.frame, "ellipses: normal densities with the mean and covariance of each class");
  return scene;
}

Vector masses_for(const Options& options, std::size_t count) {
  constexpr std::size_t few = 6;
  if (!options.masses.empty()) return options.masses;
  return count > few ? Vector{0.5} : Vector{0.5, 0.9, 0.99};
}

Regions regions_of(Scene scene, const Vector& prior, const Options& options) {
  const std::vector<Axis>& axes = scene.frame.axes;
  Regions figure{.grid = grid_over(axes[0].range, axes[1].range, options.columns, options.rows)};
  const Matrix scores = scene.model->scores(places_of(figure.grid));
  figure.posterior = softmax(scores, prior);
  figure.labels = largest(scores);
  figure.boundaries = trace_boundaries(*scene.model, figure.grid, scores);
  figure.ellipses = ellipses_of(scene.normals, masses_for(options, scene.normals.size()));
  figure.points = std::move(scene.points);
  figure.frame = std::move(scene.frame);
  return figure;
}

Line line_of(Scene scene, const Vector& prior, const Options& options, bool has_density) {
  const Range range = scene.frame.axes[0].range;
  Line figure{.x = grid_over(range, range, 2 * options.columns, 2).x};
  const Matrix places(std::ssize(figure.x), 1, figure.x);
  const Matrix scores = scene.model->scores(places);
  figure.posterior = softmax(scores, prior);
  figure.boundaries = trace_changes(*scene.model, figure.x, scores);
  if (has_density) {
    figure.joint = exp_of(scene.model->log_joint(places));
    figure.density = sums_of_rows(figure.joint);
  }
  figure.points = std::move(scene.points);
  figure.frame = std::move(scene.frame);
  return figure;
}

}  // namespace genera::figure
