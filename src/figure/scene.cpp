#include "figure/scene.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/sample.hpp>
#include <genera/table.hpp>

#include "figure/histogram.hpp"
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

std::vector<std::string> classes_of(const Rows& rows) {
  const auto& names = rows.data().labels.names;
  std::vector<std::string> classes(names.begin(), names.end());
  sort_labels(classes);
  return classes;
}

Points drawn_points(const Model& model, const Points& data, const std::vector<std::string>& axes,
                    const Rng& rng, const Options& options, const Control& control) {
  constexpr Index enough_to_see = 300;
  const Index rows = options.draws > 0 ? options.draws
                     : data.at.empty() ? enough_to_see
                                       : std::max<Index>(1, data.count());
  return points_of(sample(model, rows, rng, {}, {control.threads, {}}), axes, model.classes());
}

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

void cover(Frame& frame, const Options& options, const std::optional<Histogram>& histogram) {
  const bool given = !options.ranges.empty() && options.ranges[0];
  if (given || !histogram || histogram->edges.empty()) return;
  Range& range = frame.axes[0].range;
  range.low = std::min(range.low, histogram->edges.front());
  range.high = std::max(range.high, histogram->edges.back());
}

namespace {

/// Normal components of classes that have several.
std::vector<Part> parts_of(const std::vector<blocks::Normal>& normals, const Vector& prior,
                           const Vector& x) {
  std::vector<Part> parts;
  Index component = 0;
  for (std::size_t i = 0; i < normals.size(); ++i) {
    const blocks::Normal& normal = normals[i];
    component = i > 0 && normals[i - 1].of_class == normal.of_class ? component + 1 : 0;
    const bool alone =
        component == 0 && (i + 1 == normals.size() || normals[i + 1].of_class != normal.of_class);
    const double variance = normal.covariance(0, 0);
    if (alone || !(variance > 0)) continue;
    const double peak = prior[static_cast<std::size_t>(normal.of_class)] * normal.weight /
                        std::sqrt(2 * std::numbers::pi * variance);
    Part part{normal.of_class, component, normal.weight, {}};
    for (const double value : x) {
      const double distance = value - normal.mean[0];
      part.density.push_back(peak * std::exp(-distance * distance / (2 * variance)));
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace

Line line_of(Scene scene, const Vector& prior, const Options& options, bool has_density) {
  Line figure;
  const Index classes = std::ssize(scene.frame.classes);
  if (scene.points.count() > 0) {
    figure.histogram = histogram_of(scene.points, scene.points.classes, classes);
    if (!scene.points.predictions.empty())
      figure.predicted = histogram_of(scene.points, scene.points.predictions, classes);
    cover(scene.frame, options, figure.histogram);
    cover(scene.frame, options, figure.predicted);
  }
  const Range range = scene.frame.axes[0].range;
  figure.x = grid_over(range, range, 2 * options.columns, 2).x;
  const Matrix places(std::ssize(figure.x), 1, figure.x);
  const Matrix scores = scene.model->scores(places);
  figure.posterior = softmax(scores, prior);
  figure.boundaries = trace_changes(*scene.model, figure.x, scores);
  if (has_density) {
    figure.joint = exp_of(scene.model->log_joint(places));
    figure.density = sums_of_rows(figure.joint);
    figure.parts = parts_of(scene.normals, prior, figure.x);
  }
  figure.points = std::move(scene.points);
  figure.frame = std::move(scene.frame);
  return figure;
}

}  // namespace genera::figure
