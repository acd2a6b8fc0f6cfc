#include "plot/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace genera::cli {
namespace {

using figure::Axis;
using figure::Frame;
using figure::Points;

constexpr double plane_width = 720, plane_height = 520;
constexpr Colour white{1, 1, 1}, black{0, 0, 0};
constexpr const char* line_of_boundaries = "with lines lc '#222222' lw 1.6";
constexpr std::size_t name_length = 22;

Colour darker(const Colour& colour) { return mixed(colour, black, 0.25); }

/// The value of a field between the cells of a grid.
class Between {
 public:
  Between(const figure::Grid& grid, double column, double row)
      : columns_(std::ssize(grid.x)),
        i_(std::min(static_cast<Index>(column), columns_ - 2)),
        j_(std::min(static_cast<Index>(row), std::ssize(grid.y) - 2)),
        u_(column - static_cast<double>(i_)),
        v_(row - static_cast<double>(j_)) {}

  template <class Field>
  [[nodiscard]] double operator()(Field field) const {
    const Index cell = j_ * columns_ + i_;
    return (1 - v_) * ((1 - u_) * field(cell) + u_ * field(cell + 1)) +
           v_ * ((1 - u_) * field(cell + columns_) + u_ * field(cell + columns_ + 1));
  }
  [[nodiscard]] std::array<Index, 4> corners() const {
    const Index cell = j_ * columns_ + i_;
    return {cell, cell + 1, cell + columns_, cell + columns_ + 1};
  }

 private:
  Index columns_, i_, j_;
  double u_, v_;
};

/// The colour of the most probable class, the paler the less probable it is.
void shade(Raster& raster, const figure::Regions& figure) {
  const Index classes = figure.posterior.columns();
  const double least = 1 / static_cast<double>(classes);
  raster.fill(figure.grid, [&](double column, double row) {
    const Between between(figure.grid, column, row);
    std::array<Index, 4> labels{};
    std::ranges::transform(between.corners(), labels.begin(), [&](Index cell) {
      return Index{figure.labels[static_cast<std::size_t>(cell)]};
    });
    Index best = labels[0];
    double most = -1;
    for (const Index k : labels) {
      const double p = between([&](Index cell) { return figure.posterior(cell, k); });
      if (p > most) {
        most = p;
        best = k;
      }
    }
    const double sure = classes > 1 ? std::clamp((most - least) / (1 - least), 0.0, 1.0) : 1;
    return mixed(white, colour_of(best), 0.10 + 0.32 * sure);
  });
}

/// Points as dots of an image.
void dot(Raster& raster, const Points& points, const std::vector<std::int32_t>& classes) {
  std::vector<Colour> colours;
  for (Index i = 0; i < points.count(); ++i) {
    const std::int32_t k = classes.empty() ? 0 : classes[static_cast<std::size_t>(i)];
    colours.push_back(k < 0 ? Colour{0.5, 0.5, 0.5} : colour_of(k));
  }
  const bool many = points.count() > 50000;
  raster.dots(points.at[0], points.at[1], colours, many ? 0.9 : 1.8, many ? 0.5 : 0.7);
}

/// The points of class k; -1: those without a known class.
std::array<Vector, 2> points_of_class(const Points& points,
                                      const std::vector<std::int32_t>& classes, Index k) {
  std::array<Vector, 2> some;
  for (Index i = 0; i < points.count(); ++i) {
    const auto place = static_cast<std::size_t>(i);
    if (classes.empty() ? k != 0 : classes[place] != k) continue;
    some[0].push_back(points.at[0][place]);
    some[1].push_back(points.at[1][place]);
  }
  return some;
}

std::array<Vector, 2> wrong_points(const Points& points) {
  std::array<Vector, 2> some;
  for (Index i = 0; i < points.count(); ++i) {
    if (!points.wrong(i)) continue;
    some[0].push_back(points.at[0][static_cast<std::size_t>(i)]);
    some[1].push_back(points.at[1][static_cast<std::size_t>(i)]);
  }
  return some;
}

/// A picture of points in a plane that is put together layer by layer.
class Plane {
 public:
  Plane(Script& script, const Frame& frame) : script_(script), frame_(frame) {}

  void add(std::string item) { items_.push_back(std::move(item)); }

  /// Points by class, each with a white rim; many of them are in an image already.
  void add_points(const Points& points, const std::vector<std::int32_t>& classes) {
    const double size = points.count() > 1000 ? 0.45 : points.count() > 300 ? 0.65 : 0.85;
    for (Index k = -1; k < std::ssize(frame_.classes) || (k == 0 && classes.empty()); ++k) {
      const std::array<Vector, 2> some = points_of_class(points, classes, k);
      if (some[0].empty()) continue;
      const std::string block = script_.block(some[0], some[1]);
      const int shape = k < 0 ? 1 : shape_of(k);
      const Colour colour = k < 0 || classes.empty() ? Colour{0.4, 0.4, 0.4} : colour_of(k);
      if (shape >= 5 && shape % 2 == 1)
        add(fmt::format("{} with points pt {} ps {:.2f} lc '#ffffff' notitle", block, shape,
                        size + 0.25));
      add(fmt::format("{} with points pt {} ps {:.2f} lc {} notitle", block, shape, size,
                      hex(colour)));
    }
  }

  /// The legend: every class, whether or not there are points of it.
  void add_class_keys() {
    for (Index k = 0; k < std::ssize(frame_.classes); ++k)
      add(fmt::format("keyentry with points pt {} ps 1.1 lc {} title {}", shape_of(k),
                      hex(colour_of(k)),
                      quoted(frame_.classes[static_cast<std::size_t>(k)], name_length)));
    ++entries_;
  }
  void add_key(const std::string& style, const std::string& title) {
    add(fmt::format("keyentry {} title {}", style, quoted(title, 60)));
    ++entries_;
  }

  void add_wrong(const Points& points) {
    const std::array<Vector, 2> some = wrong_points(points);
    if (some[0].empty()) return;
    if (std::ssize(some[0]) > most_single_points / 2) return;
    add(fmt::format("{} with points pt 6 ps 1.5 lw 1.4 lc '#000000' notitle",
                    script_.block(some[0], some[1])));
    add_key("with points pt 6 ps 1.3 lw 1.4 lc '#000000'",
            fmt::format("misclassified ({})", some[0].size()));
  }

  void add_ellipses(const std::vector<figure::Ellipse>& ellipses, const Vector& masses) {
    constexpr std::array<const char*, 3> lines{"dt 1 lw 1.8", "dt (8,4) lw 1.4", "dt (2,3) lw 1.4"};
    for (Index k = 0; k < std::ssize(frame_.classes); ++k) {
      for (std::size_t m = 0; m < masses.size(); ++m) {
        std::vector<figure::Curve> outlines;
        for (const figure::Ellipse& ellipse : ellipses)
          if (ellipse.of_class == k && ellipse.mass == masses[m])
            outlines.push_back(ellipse.outline);
        if (outlines.empty()) continue;
        add(fmt::format("{} with lines lc {} {} notitle", script_.curves(outlines),
                        hex(darker(colour_of(k))), lines[std::min(m, lines.size() - 1)]));
      }
    }
    if (ellipses.empty()) return;
    for (std::size_t m = 0; m < masses.size(); ++m)
      add_key(fmt::format("with lines lc '#444444' {}", lines[std::min(m, lines.size() - 1)]),
              fmt::format("{:.3g} % inside", 100 * masses[m]));
  }

  void finish() {
    script_.legend(frame_.target, frame_.classes.size() + entries_);
    script_.plot(items_);
  }

 private:
  Script& script_;
  const Frame& frame_;
  std::vector<std::string> items_;
  std::size_t entries_ = 0;
};

Raster raster_over(const Frame& frame, Index width = 900, Index height = 700) {
  return {width, height, frame.axes[0].range, frame.axes[1].range};
}

Vector masses_of(const std::vector<figure::Ellipse>& ellipses) {
  Vector masses;
  for (const figure::Ellipse& ellipse : ellipses)
    if (std::ranges::find(masses, ellipse.mass) == masses.end()) masses.push_back(ellipse.mass);
  return masses;
}

bool too_many(const Points& points) { return points.count() > most_single_points; }

Drawing plane_of(const Frame& frame, const Look& look, auto fill) {
  Script script(plane_width, plane_height, look);
  script.plane(frame.axes[0], frame.axes[1]);
  script.caption(frame.caption);
  Plane plane(script, frame);
  fill(script, plane);
  plane.finish();
  return std::move(script).take();
}

}  // namespace

Drawing drawing_of(const figure::Scatter& figure, const Look& look) {
  return plane_of(figure.frame, look, [&](Script& script, Plane& plane) {
    if (too_many(figure.points)) {
      Raster raster = raster_over(figure.frame);
      dot(raster, figure.points, figure.points.classes);
      plane.add(script.image(raster));
    } else {
      plane.add_points(figure.points, figure.points.classes);
    }
    plane.add_class_keys();
  });
}

Drawing drawing_of(const figure::Regions& figure, const Look& look) {
  return plane_of(figure.frame, look, [&](Script& script, Plane& plane) {
    Raster raster = raster_over(figure.frame);
    shade(raster, figure);
    if (too_many(figure.points)) dot(raster, figure.points, figure.points.classes);
    plane.add(script.image(raster));
    plane.add(fmt::format("{} {} notitle", script.curves(figure.boundaries), line_of_boundaries));
    if (!too_many(figure.points) && figure.points.count() > 0)
      plane.add_points(figure.points, figure.points.classes);
    plane.add_class_keys();
    plane.add_wrong(figure.points);
    plane.add_ellipses(figure.ellipses, masses_of(figure.ellipses));
  });
}

Drawing predictions_drawing(const figure::Regions& figure, const Look& look) {
  return plane_of(figure.frame, look, [&](Script& script, Plane& plane) {
    if (too_many(figure.points)) {
      Raster raster = raster_over(figure.frame);
      dot(raster, figure.points, figure.points.predictions);
      plane.add(script.image(raster));
    } else {
      plane.add_points(figure.points, figure.points.predictions);
    }
    plane.add_class_keys();
    plane.add_wrong(figure.points);
    plane.add_ellipses(figure.ellipses, masses_of(figure.ellipses));
  });
}

Drawing drawing_of(const figure::Density& figure, const Look& look) {
  return plane_of(figure.frame, look, [&](Script& script, Plane& plane) {
    const double most = *std::ranges::max_element(figure.density);
    Raster raster = raster_over(figure.frame);
    raster.fill(figure.grid, [&](double column, double row) {
      const double p = Between(figure.grid, column, row)(
          [&](Index cell) { return figure.density[static_cast<std::size_t>(cell)]; });
      return mixed(white, Colour{0.25, 0.3, 0.4}, 0.75 * std::sqrt(p / most));
    });
    plane.add(script.image(raster));
    constexpr std::array<const char*, 3> lines{"dt 1", "dt (8,4)", "dt (2,3)"};
    Vector masses;
    for (const figure::Contour& contour : figure.contours) {
      if (contour.of_class < 0) masses.push_back(contour.mass);
      const bool all = contour.of_class < 0;
      const auto place = std::ranges::find(masses, contour.mass) - masses.begin();
      plane.add(fmt::format(
          "{} with lines lc {} lw {} {} notitle", script.curves(contour.lines),
          all ? "'#000000'" : hex(colour_of(contour.of_class)), all ? 1.2 : 2.2,
          lines[std::min<std::size_t>(static_cast<std::size_t>(place), lines.size() - 1)]));
    }
    for (std::size_t k = 0; k < figure.frame.classes.size(); ++k)
      plane.add(fmt::format("keyentry with lines lw 2.2 lc {} title {}",
                            hex(colour_of(static_cast<Index>(k))),
                            quoted(figure.frame.classes[k], name_length)));
    plane.add_key("with lines lw 1.2 lc '#000000'", "all together");
    for (std::size_t m = 0; m < masses.size(); ++m)
      plane.add_key(
          fmt::format("with lines lc '#777777' lw 1.6 {}", lines[std::min<std::size_t>(m, 2)]),
          fmt::format("{:.3g} % inside", 100 * masses[m]));
  });
}

}  // namespace genera::cli
