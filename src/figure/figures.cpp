#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/figure.hpp>
#include <genera/query.hpp>

#include "figure/axes.hpp"
#include "figure/scene.hpp"
#include "figure/shown.hpp"
#include "figure/tracing.hpp"
#include "kernel/index.hpp"
#include "kernel/infinity.hpp"
#include "kernel/symmetric_eigen.hpp"
#include "kernel/text.hpp"
#include "figure/shown_committee.hpp"
#include "score/committee/bound_classifier.hpp"

namespace genera::figure {
namespace {

using kernel::at;
using Names = std::vector<std::string>;

/// Density level whose highest cells contain the probability `mass`.
double level_of(Vector density, double cell, double mass) {
  std::ranges::sort(density, std::greater());
  double sum = 0;
  for (const double value : density) {
    sum += value * cell;
    if (sum >= mass) return value;
  }
  return 0;
}

/// Traces log density, which is smoother.
std::vector<Curve> contour_lines(const Grid& grid, const Vector& density, double level) {
  Vector logs;
  for (const double value : density) logs.push_back(std::log(std::max(value, 1e-300)));
  return trace_level(grid, logs, std::log(level));
}

void add_contours(Density& figure, Index of_class, const Vector& density, const Vector& masses) {
  const Grid& grid = figure.grid;
  const double cell = (grid.x[1] - grid.x[0]) * (grid.y[1] - grid.y[0]);
  for (const double mass : masses) {
    const double level = level_of(density, cell, mass);
    if (level > 0)
      figure.contours.push_back({of_class, mass, level, contour_lines(grid, density, level)});
  }
}

Vector column_of(const Matrix& values, Index k, double divisor) {
  Vector column;
  for (Index i = 0; i < values.rows(); ++i) column.push_back(values(i, k) / divisor);
  return column;
}

Ellipsoid ellipsoid_of(const blocks::Normal& normal, double mass) {
  Ellipsoid solid{
      .of_class = normal.of_class, .mass = mass, .centre = normal.mean, .axes = Matrix(3, 3)};
  const kernel::SymmetricEigen eigen = kernel::symmetric_eigen(normal.covariance);
  for (Index axis = 0; axis < 3; ++axis) {
    const Index e = 2 - axis;
    const double half = radius(mass, 3) * std::sqrt(std::max(0.0, eigen.values[at(e)]));
    for (Index j = 0; j < 3; ++j) solid.axes(axis, j) = half * eigen.vectors(j, e);
  }
  return solid;
}

}  // namespace

Scatter scatter(const Rows& rows, const Options& options) {
  const Names axes = axes_of(rows, 2, options);
  Scatter figure;
  figure.frame.classes = classes_of(rows);
  figure.frame.target = rows.data().target;
  figure.points = points_of(rows, axes, figure.frame.classes);
  if (figure.points.count() == 0)
    throw Error(Errc::bad_data, fmt::format("no row has both '{}' and '{}'", axes[0], axes[1]),
                "choose other features");
  figure.frame.axes = ranges_for(axes, options, figure.points, {});
  say_left_out(figure.frame, figure.points);
  return figure;
}

Density density(const Model& model, const Rows* data, const Options& options,
                const Control& control) {
  Options marginal = options;
  marginal.others = Others::marginal;
  Scene scene = scene_of(model, data, marginal, 2, 0.995, control);
  const std::vector<Axis>& axes = scene.frame.axes;
  Density figure{.grid = grid_over(axes[0].range, axes[1].range, options.columns, options.rows)};
  const Matrix log_joint = scene.model->log_joint(places_of(figure.grid));
  figure.joint = exp_of(log_joint);
  figure.density = sums_of_rows(figure.joint);
  const Model untempered = model.with_temperature(1);  // densities ignore the temperature
  figure.boundaries = trace_boundaries(*shown(untempered, scene.axes, Others::marginal, control),
                                       figure.grid, log_joint);
  const Vector masses = masses_for(options, model.classes().size());
  add_contours(figure, -1, figure.density, masses);
  for (Index k = 0; k < log_joint.columns(); ++k) {
    const double prior = model.prior().probabilities()[at(k)];
    if (prior > 0) add_contours(figure, k, column_of(figure.joint, k, prior), masses);
  }
  figure.points = std::move(scene.points);
  figure.frame = std::move(scene.frame);
  return figure;
}

Regions regions(ClassifierRef model, const Rows* data, const Options& options,
                const Control& control) {
  return regions_of(scene_of(model, data, options, 2, 0.95, control), model.prior().probabilities(),
                    options);
}

Solid solid(const Model& model, const Rows* data, const Options& options, const Control& control) {
  Scene scene = scene_of(model, data, options, 3, 0.95, control);
  Solid figure;
  Index component = 0;
  for (std::size_t i = 0; i < scene.normals.size(); ++i) {
    const bool same = i > 0 && scene.normals[i - 1].of_class == scene.normals[i].of_class;
    component = same ? component + 1 : 0;
    for (const double mass : options.masses.empty() ? Vector{0.9} : options.masses) {
      figure.ellipsoids.push_back(ellipsoid_of(scene.normals[i], mass));
      figure.ellipsoids.back().component = component;
    }
  }
  figure.points = std::move(scene.points);
  figure.frame = std::move(scene.frame);
  return figure;
}

Samples samples(const Model& model, const Rows* data, const Rng& rng, const Options& options,
                const Control& control) {
  const Names axes = axes_of(model, 2, options, data);
  Samples figure;
  figure.frame.classes = model.classes();
  figure.frame.target = model.target();
  if (data) figure.data = points_of(*data, axes, model.classes());
  figure.drawn = drawn_points(model, figure.data, axes, rng, options, control);
  Points both = figure.drawn;
  for (std::size_t a = 0; data && a < axes.size(); ++a)
    both.at[a].insert(both.at[a].end(), figure.data.at[a].begin(), figure.data.at[a].end());
  both.left_out = figure.data.left_out;
  figure.frame.axes = ranges_for(axes, options, both, {});
  say_left_out(figure.frame, both);
  say_unknown(figure.frame, figure.data);
  return figure;
}

Pairs pairs(ClassifierRef model, const Rows& data, const Options& options, Index max,
            const Control& control) {
  const Index numbers = std::ssize(numeric_features(model));
  const Index count = options.axes.empty() ? std::min(max, numbers) : std::ssize(options.axes);
  if (count < 2 || numbers < 2)
    throw Error(numbers < 2 ? Errc::bad_model : Errc::bad_argument,
                "a matrix of pairs takes two features that are numbers",
                numbers == 1 ? "choose a figure of one feature, such as posterior"
                             : "choose another kind of figure, or name two features");
  const Names axes = axes_of(model, count, options, &data);
  Pairs figure;
  figure.points = predicted_points(model, data, axes, control);
  std::vector<blocks::Normal> parts;
  if (const Model* joint = leading_model(model)) parts = normals(*joint, axes);
  figure.frame = {.axes = ranges_for(axes, options, figure.points, parts, 0.5),
                  .classes = model.classes(),
                  .target = model.target()};
  Options own = options;
  own.columns = std::max<Index>(40, options.columns * 2 / (count + 1));
  own.rows = own.columns;
  if (own.masses.empty()) own.masses = {0.9};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    own.axes = {axes[i]};
    own.ranges = {figure.frame.axes[i].range};
    figure.lines.push_back(line(model, nullptr, own, {}, control));
    for (std::size_t j = 0; j < i; ++j) {
      own.axes = {axes[j], axes[i]};
      own.ranges = {figure.frame.axes[j].range, figure.frame.axes[i].range};
      figure.below.push_back(regions(model, nullptr, own, control));
    }
  }
  if (!figure.below.empty() && std::ssize(model.features()) > 2)
    say(figure.frame, model.has_density()
                          ? options.others == Others::marginal
                                ? "in each panel all other features are marginalised"
                                : "in each panel all other features are where expected "
                                  "given those shown"
                          : "in each panel all other features are at their means");
  if (numbers > count && options.axes.empty())
    say(figure.frame,
        fmt::format("the {} of {} features that separate the classes best", count, numbers));
  say_left_out(figure.frame, figure.points);
  say_unknown(figure.frame, figure.points);
  return figure;
}

}  // namespace genera::figure
