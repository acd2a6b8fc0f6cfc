// Figures as data: keys shared by JSON files and Python.
#include <genera/facts.hpp>
#include <genera/figure.hpp>

#include "kernel/index.hpp"

namespace genera::figure {
namespace {

using kernel::at;

Vector pair_of(const Range& range) { return {range.low, range.high}; }

Facts frame_facts(const Frame& frame) {
  return {{"axes", list_of(frame.axes,
                           [](const Axis& axis) {
                             return Facts{{"name", axis.name}, {"range", pair_of(axis.range)}};
                           })},
          {"classes", frame.classes},
          {"target", frame.target},
          {"caption", frame.caption}};
}

/// The frame, followed by the members of this kind of figure.
Facts framed(const Frame& frame, Facts own) {
  Facts all = frame_facts(frame);
  append(all, std::move(own));
  return all;
}

Facts points_facts(const Points& points) {
  Fact::Codes wrong;
  for (Index i = 0; i < points.count(); ++i) wrong.push_back(points.wrong(i) ? 1 : 0);
  return {{"at", Fact::List(points.at.begin(), points.at.end())},
          {"classes", points.classes},
          {"predictions", points.predictions},
          {"wrong", std::move(wrong)},
          {"left_out", points.left_out}};
}

Facts curve_facts(const Curve& curve) {
  return {{"x", curve.x}, {"y", curve.y}, {"first", curve.first}, {"second", curve.second}};
}

Facts ellipse_facts(const Ellipse& ellipse) {
  return {{"of_class", ellipse.of_class},
          {"component", ellipse.component},
          {"weight", ellipse.weight},
          {"mass", ellipse.mass},
          {"centre", Vector{ellipse.x, ellipse.y}},
          {"half_axes", Vector{ellipse.major, ellipse.minor}},
          {"angle", ellipse.angle},
          {"x", ellipse.outline.x},
          {"y", ellipse.outline.y}};
}

/// Values of the cells of a grid as a matrix: rows are y, columns are x.
template <class Value>
Matrix on_grid(const Grid& grid, Value value) {
  Matrix cells(std::ssize(grid.y), std::ssize(grid.x));
  for (Index i = 0; i < grid.cells(); ++i)
    cells.row(i / cells.columns())[at(i % cells.columns())] = value(i);
  return cells;
}

/// One matrix per class.
Fact::List by_class(const Grid& grid, const Matrix& cells) {
  Fact::List all;
  for (Index k = 0; k < cells.columns(); ++k)
    all.emplace_back(on_grid(grid, [&](Index i) { return cells(i, k); }));
  return all;
}

Fact::List bars_facts(const std::vector<Bar>& bars) {
  return list_of(bars, [](const Bar& bar) {
    return Facts{{"name", bar.name}, {"value", bar.value}};
  });
}

template <class T>
Fact::Value place_facts(const std::optional<std::pair<T, T>>& place) {
  if (!place) return {};
  return Fact::List{place->first, place->second};
}

}  // namespace

Facts facts(const Scatter& figure) {
  return framed(figure.frame, {{"points", points_facts(figure.points)}});
}

Facts facts(const Regions& figure) {
  return framed(figure.frame,
                {{"x", figure.grid.x},
                 {"y", figure.grid.y},
                 {"posterior", by_class(figure.grid, figure.posterior)},
                 {"labels", on_grid(figure.grid, [&](Index i) { return figure.labels[at(i)]; })},
                 {"boundaries", list_of(figure.boundaries, curve_facts)},
                 {"ellipses", list_of(figure.ellipses, ellipse_facts)},
                 {"points", points_facts(figure.points)}});
}

Facts facts(const Density& figure) {
  const auto contour_facts = [](const Contour& contour) {
    return Facts{{"of_class", contour.of_class},
                 {"mass", contour.mass},
                 {"level", contour.level},
                 {"lines", list_of(contour.lines, curve_facts)}};
  };
  return framed(figure.frame,
                {{"x", figure.grid.x},
                 {"y", figure.grid.y},
                 {"density", on_grid(figure.grid, [&](Index i) { return figure.density[at(i)]; })},
                 {"joint", by_class(figure.grid, figure.joint)},
                 {"contours", list_of(figure.contours, contour_facts)},
                 {"boundaries", list_of(figure.boundaries, curve_facts)},
                 {"points", points_facts(figure.points)}});
}

Facts facts(const Line& figure) {
  const auto histogram_facts = [](const std::optional<Histogram>& histogram) {
    if (!histogram) return Fact::Value();
    return Fact::Value(Facts{
        {"edges", histogram->edges}, {"density", histogram->density}, {"joint", histogram->joint}});
  };
  const auto part_facts = [](const Part& part) {
    return Facts{{"of_class", part.of_class},
                 {"component", part.component},
                 {"weight", part.weight},
                 {"density", part.density}};
  };
  Fact::Value area;
  if (figure.area)
    area = Facts{{"between", pair_of(figure.area->between)},
                 {"probability", figure.area->probability}};
  return framed(figure.frame, {{"x", figure.x},
                               {"density", figure.density},
                               {"joint", figure.joint},
                               {"posterior", figure.posterior},
                               {"boundaries", figure.boundaries},
                               {"area", std::move(area)},
                               {"parts", list_of(figure.parts, part_facts)},
                               {"histogram", histogram_facts(figure.histogram)},
                               {"predicted", histogram_facts(figure.predicted)},
                               {"drawn", histogram_facts(figure.drawn)},
                               {"draws", figure.draws},
                               {"points", points_facts(figure.points)}});
}

Facts facts(const Solid& figure) {
  const auto ellipsoid_facts = [](const Ellipsoid& ellipsoid) {
    return Facts{{"of_class", ellipsoid.of_class},
                 {"component", ellipsoid.component},
                 {"mass", ellipsoid.mass},
                 {"centre", ellipsoid.centre},
                 {"axes", ellipsoid.axes}};
  };
  return framed(figure.frame, {{"ellipsoids", list_of(figure.ellipsoids, ellipsoid_facts)},
                               {"points", points_facts(figure.points)}});
}

Facts facts(const Samples& figure) {
  return framed(figure.frame,
                {{"data", points_facts(figure.data)}, {"drawn", points_facts(figure.drawn)}});
}

Facts facts(const Pairs& figure) {
  return framed(figure.frame,
                {{"lines", list_of(figure.lines, [](const Line& line) { return facts(line); })},
                 {"below", list_of(figure.below, [](const Regions& one) { return facts(one); })},
                 {"points", points_facts(figure.points)}});
}

Facts facts(const Canonical& figure) {
  return {{"line", figure.line ? Fact::Value(facts(*figure.line)) : Fact::Value()},
          {"regions", figure.line ? Fact::Value() : Fact::Value(facts(figure.regions))},
          {"means", figure.means}};
}

Facts facts(const Confusion& figure) {
  return framed(figure.frame, {{"counts", figure.counts}, {"shares", figure.shares}});
}

Facts facts(const Reliability& figure) {
  const auto bin_facts = [](const ReliabilityBin& bin) {
    return Facts{{"low", bin.low},
                 {"high", bin.high},
                 {"rows", bin.rows},
                 {"confidence", bin.confidence},
                 {"accuracy", bin.accuracy}};
  };
  return framed(
      figure.frame,
      {{"bins", list_of(figure.bins, bin_facts)}, {"error", figure.error}, {"rows", figure.rows}});
}

Facts facts(const Roc& figure) {
  const auto curve_of = [](const RocCurve& curve) {
    return Facts{{"name", curve.name},
                 {"of_class", curve.of_class},
                 {"x", curve.x},
                 {"y", curve.y},
                 {"area", curve.area}};
  };
  return framed(figure.frame, {{"curves", list_of(figure.curves, curve_of)}});
}

Facts facts(const Trends& figure) {
  const auto trend_facts = [](const Trend& trend) {
    return Facts{
        {"name", trend.name},   {"solid", trend.solid},
        {"x", trend.x},         {"y", trend.y},
        {"error", trend.error}, {"low", trend.low},
        {"high", trend.high},   {"usable", Fact::Codes(trend.usable.begin(), trend.usable.end())}};
  };
  return framed(figure.frame,
                {{"trends", list_of(figure.trends, trend_facts)},
                 {"log_x", figure.log_x},
                 {"log_y", figure.log_y},
                 {"guide", figure.guide ? Fact::Value(trend_facts(*figure.guide)) : Fact::Value()},
                 {"best", place_facts(figure.best)},
                 {"marks", figure.marks}});
}

Facts facts(const HeatMap& figure) {
  return framed(figure.frame, {{"x", figure.x},
                               {"y", figure.y},
                               {"values", figure.values},
                               {"value_name", figure.value_name},
                               {"best", place_facts(figure.best)}});
}

Facts facts(const Features& figure) {
  return framed(figure.frame, {{"separation", bars_facts(figure.separation)},
                               {"evidence", list_of(figure.evidence, bars_facts)}});
}

}  // namespace genera::figure
