#include "figure/axes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/query.hpp>

#include "data/columns.hpp"
#include "figure/separation.hpp"
#include "figure/shown.hpp"
#include "kernel/index.hpp"
#include "kernel/infinity.hpp"
#include "kernel/distributions.hpp"
#include "kernel/text.hpp"
#include "figure/shown_committee.hpp"

namespace genera::figure {
namespace {

using kernel::at;

using Names = std::vector<std::string>;

/// Moments of labelled rows; rows with a missing number do not count.
ClassMoments moments_of_rows(const data::NumberColumns& numbers, const Rows& rows, Index classes) {
  const Index d = numbers.count();
  ClassMoments m{Vector(at(classes)), Matrix(classes, d),
                 std::vector<Matrix>(at(classes), Matrix(d, d))};
  const CodesView& labels = rows.data().labels;
  const auto each = [&](auto visit) {
    for (Index i = 0; i < rows.count(); ++i) {
      const Index row = rows.row(i);
      const Index k = labels.empty() ? 0 : labels(row);
      bool there = k >= 0;
      for (Index j = 0; j < d && there; ++j) there = std::isfinite(numbers(row, j));
      if (there) visit(row, k);
    }
  };
  each([&](Index row, Index k) {
    m.weights[at(k)] += 1;
    for (Index j = 0; j < d; ++j)
      m.means(k, j) += (numbers(row, j) - m.means(k, j)) / m.weights[at(k)];
  });
  each([&](Index row, Index k) {
    for (Index i = 0; i < d; ++i) {
      for (Index j = 0; j < d; ++j)
        m.within[at(k)](i, j) += (numbers(row, i) - m.means(k, i)) *
                                 (numbers(row, j) - m.means(k, j)) / m.weights[at(k)];
    }
  });
  for (double& weight : m.weights)
    if (weight == 0) weight = 1e-300;  // a class without rows
  return m;
}

Separation::Moments moments_from(const Rows& rows, const Names& names) {
  const std::vector<Index> all = data::number_places(rows.data(), names);
  return [&rows, all](const std::vector<Index>& columns) {
    std::vector<Index> places;
    for (const Index column : columns) places.push_back(all[at(column)]);
    const Index classes = std::max<Index>(1, std::ssize(rows.data().labels.names));
    // The first rows suffice to choose features.
    return moments_of_rows(data::NumberColumns(rows.data(), places),
                           rows.between(0, std::min<Index>(rows.count(), 20000)), classes);
  };
}

Separation::Moments moments_from(const Model& model, const Names& names) {
  return [&model, names, normals = FeatureNormals(model)](const std::vector<Index>& columns) {
    Names chosen;
    for (const Index column : columns) chosen.push_back(names[at(column)]);
    return moments_of(normals(chosen), model.prior().probabilities());
  };
}

std::vector<Index> places_among(const Names& names, const Names& given, const std::string& whose,
                                const std::vector<Column>& all) {
  std::vector<Index> places;
  for (const std::string& name : given) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) {
      const auto other = std::ranges::find(all, name, &Column::name);
      if (other != all.end())
        throw Error(
            Errc::bad_argument,
            other->type == ColumnType::numeric
                ? fmt::format("the model has no density of '{}'", name)
                : fmt::format("'{}' is {}, and axes are numbers", name, name_of(other->type)),
            names.empty() ? "choose another kind of figure"
                          : "choose among " + kernel::quoted_list(names));
      throw Error(Errc::bad_argument, fmt::format("{} no feature '{}'", whose, name),
                  kernel::did_you_mean(name, names, "choose among " + kernel::quoted_list(names)));
    }
    if (std::ranges::find(places, found - names.begin()) != places.end())
      throw Error(Errc::bad_argument, fmt::format("'{}' is on two axes", name),
                  "choose another feature for one of them");
    places.push_back(found - names.begin());
  }
  return places;
}

std::string so_many_numbers(Index count) {
  return count == 0 ? "has no feature that is a number"
                    : "has only " +
                          counted(count, "feature that is a number", "features that are numbers");
}

/// Names given in the options first, then the others in the order of the model.
Names named(const Names& names, const std::vector<Index>& chosen, std::size_t given) {
  std::vector<Index> order = chosen;
  std::sort(order.begin() + static_cast<std::ptrdiff_t>(given), order.end());
  Names axes;
  for (const Index place : order) axes.push_back(names[at(place)]);
  return axes;
}

void widen(Range& range, double value) {
  range.low = std::min(range.low, value);
  range.high = std::max(range.high, value);
}

void require_ordered(const Range& range, const std::string& name) {
  if (range.low < range.high && std::isfinite(range.high - range.low)) return;
  throw Error(Errc::bad_argument, fmt::format("the range of '{}' is empty", name),
              "let it begin below its end");
}

Ellipse ellipse_of(const blocks::Normal& normal, double mass) {
  const double a = normal.covariance(0, 0), b = normal.covariance(0, 1),
               c = normal.covariance(1, 1);
  const double middle = (a + c) / 2, spread = std::hypot((a - c) / 2, b);
  const double major = middle + spread;
  // The product of both axes is the determinant, which keeps digits for thin ellipses.
  const double minor = major > 0 ? std::max(0.0, (a * c - b * b) / major) : 0;
  Ellipse ellipse{.of_class = normal.of_class,
                  .weight = normal.weight,
                  .mass = mass,
                  .x = normal.mean[0],
                  .y = normal.mean[1],
                  .angle = std::atan2(2 * b, a - c) / 2};
  const double r = radius(mass, 2);
  ellipse.major = r * std::sqrt(major);
  ellipse.minor = r * std::sqrt(minor);
  constexpr int corners = 96;
  for (int i = 0; i <= corners; ++i) {
    const double t = 2 * std::numbers::pi * (i % corners) / corners;
    const double u = ellipse.major * std::cos(t), v = ellipse.minor * std::sin(t);
    const double cosine = std::cos(ellipse.angle), sine = std::sin(ellipse.angle);
    ellipse.outline.x.push_back(ellipse.x + u * cosine - v * sine);
    ellipse.outline.y.push_back(ellipse.y + u * sine + v * cosine);
  }
  return ellipse;
}

}  // namespace

Index Points::wrong() const {
  Index count_wrong = 0;
  for (Index i = 0; i < count(); ++i) count_wrong += wrong(i) ? 1 : 0;
  return count_wrong;
}

double radius(double mass, Index dimensions) {
  return std::sqrt(kernel::chi_square_exceeded(1 - mass, static_cast<double>(dimensions)));
}

ClassMoments moments_of(const std::vector<blocks::Normal>& normals, const Vector& prior) {
  const Index classes = std::ssize(prior);
  const Index d = normals.empty() ? 0 : std::ssize(normals[0].mean);
  ClassMoments m{prior, Matrix(classes, d), std::vector<Matrix>(at(classes), Matrix(d, d))};
  for (const blocks::Normal& normal : normals) {
    for (Index i = 0; i < d; ++i) m.means(normal.of_class, i) += normal.weight * normal.mean[at(i)];
  }
  for (const blocks::Normal& normal : normals) {
    const Index k = normal.of_class;
    for (Index i = 0; i < d; ++i) {
      for (Index j = 0; j < d; ++j)
        m.within[at(k)](i, j) +=
            normal.weight * (normal.covariance(i, j) + (normal.mean[at(i)] - m.means(k, i)) *
                                                           (normal.mean[at(j)] - m.means(k, j)));
    }
  }
  return m;
}

std::vector<std::string> separating_features(ClassifierRef model, Index count, const Names& given,
                                             const Rows* data) {
  const Names names = numeric_features(model);
  const std::vector<Index> places = places_among(names, given, "the model has", model.features());
  if (std::ssize(names) < count)
    throw Error(
        Errc::bad_model,
        fmt::format("the model {}, and the figure takes {}", so_many_numbers(std::ssize(names)),
                    count),
        "fit a Gaussian or softmax model of more columns of numbers, or choose another kind "
        "of figure");
  const Model* joint = leading_model(model);
  if (!joint && (!data || data->data().labels.empty())) {
    std::vector<Index> first = places;
    for (Index column = 0; std::ssize(first) < count; ++column)
      if (std::ranges::find(first, column) == first.end()) first.push_back(column);
    return named(names, first, places.size());
  }
  const Separation separation(std::ssize(names),
                              joint ? moments_from(*joint, names) : moments_from(*data, names));
  return named(names, separation.choose(count, places), places.size());
}

Names axes_of(ClassifierRef model, Index count, const Options& options, const Rows* data) {
  if (std::ssize(options.axes) > count)
    throw Error(Errc::bad_argument, fmt::format("the figure has {} axes", count),
                "name fewer features");
  return separating_features(model, count, options.axes, data);
}

Names numeric_features(const Rows& rows) {
  Names names;
  for (const Column& column : rows.data().columns)
    if (data::kept_as_number(column.type)) names.push_back(column.name);
  return names;
}

Names axes_of(const Rows& data, Index count, const Options& options) {
  const Names names = numeric_features(data);
  const std::vector<Index> places =
      places_among(names, options.axes, "the data have", data.data().columns);
  if (std::ssize(names) < count)
    throw Error(Errc::bad_data,
                fmt::format("the table {}, and the figure takes {}",
                            so_many_numbers(std::ssize(names)), count),
                "choose a table with more columns of numbers");
  const Separation separation(std::ssize(names), moments_from(data, names));
  return named(names, separation.choose(count, places), places.size());
}

Points points_of(const Rows& data, const Names& axes, const Names& classes) {
  const data::NumberColumns numbers(data.data(), data::number_places(data.data(), axes));
  const CodesView& labels = data.data().labels;
  const std::vector<Index> class_of = find_labels(classes, labels.names);
  Points points;
  points.at.resize(axes.size());
  for (Index i = 0; i < data.count(); ++i) {
    const Index row = data.row(i);
    bool there = true;
    for (Index j = 0; j < numbers.count() && there; ++j) there = std::isfinite(numbers(row, j));
    if (!there) {
      ++points.left_out;
      continue;
    }
    for (Index j = 0; j < numbers.count(); ++j) points.at[at(j)].push_back(numbers(row, j));
    if (!data.data().weights.empty()) points.weights.push_back(data.data().weights[at(row)]);
    if (labels.empty()) continue;
    const std::int32_t label = labels(row);
    points.classes.push_back(label < 0 ? -1 : static_cast<std::int32_t>(class_of[at(label)]));
  }
  return points;
}

Points predicted_points(ClassifierRef model, const Rows& data, const Names& axes,
                        const Control& control) {
  Points points = points_of(data, axes, model.classes());
  const std::vector<std::int32_t> labels = predict(model, data, control);
  if (points.left_out == 0) {
    points.predictions = labels;
    return points;
  }
  const data::NumberColumns numbers(data.data(), data::number_places(data.data(), axes));
  for (Index i = 0; i < data.count(); ++i) {
    bool there = true;
    for (Index j = 0; j < numbers.count() && there; ++j)
      there = std::isfinite(numbers(data.row(i), j));
    if (there) points.predictions.push_back(labels[at(i)]);
  }
  return points;
}

std::vector<Axis> ranges_for(const Names& axes, const Options& options, const Points& points,
                             const std::vector<blocks::Normal>& normals, double mass) {
  std::vector<Axis> all;
  const Index d = std::ssize(axes);
  for (std::size_t a = 0; a < axes.size(); ++a) {
    Axis axis{axes[a], {kernel::infinity, -kernel::infinity}};
    for (const blocks::Normal& normal : normals) {
      const double reach = radius(mass, d) * std::sqrt(normal.covariance(static_cast<Index>(a),
                                                                         static_cast<Index>(a)));
      widen(axis.range, normal.mean[a] - reach);
      widen(axis.range, normal.mean[a] + reach);
    }
    for (Index i = 0; i < points.count(); ++i) widen(axis.range, points.at[a][at(i)]);
    if (a < options.ranges.size() && options.ranges[a]) {
      require_ordered(*options.ranges[a], axes[a]);
      axis.range = *options.ranges[a];
    } else if (!(axis.range.low <= axis.range.high)) {
      throw Error(Errc::bad_argument,
                  fmt::format("nothing says how far '{}' reaches: there are no data, and the model "
                              "has no density",
                              axes[a]),
                  {"give the data, too, or both {} and {}", {{"x_range"}, {"y_range"}}});
    } else {
      const double width = axis.range.high - axis.range.low;
      const double margin = width > 0 ? 0.04 * width : std::max(1.0, std::abs(axis.range.low)) / 2;
      axis.range = {axis.range.low - margin, axis.range.high + margin};
    }
    all.push_back(std::move(axis));
  }
  return all;
}

std::vector<Ellipse> ellipses_of(const std::vector<blocks::Normal>& normals, const Vector& masses) {
  std::vector<Ellipse> all;
  Index component = 0;
  for (std::size_t i = 0; i < normals.size(); ++i) {
    component = i > 0 && normals[i - 1].of_class == normals[i].of_class ? component + 1 : 0;
    for (const double mass : masses) {
      all.push_back(ellipse_of(normals[i], mass));
      all.back().component = component;
    }
  }
  return all;
}

}  // namespace genera::figure
