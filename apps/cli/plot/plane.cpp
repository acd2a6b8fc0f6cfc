#include "plot/plane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace genera::cli {
namespace {

using figure::Points;

constexpr Colour black{0, 0, 0};

Colour darker(const Colour& colour, double part) { return mixed(colour, black, part); }

std::array<Vector, 2> wrong_points(const Points& points, std::size_t x = 0, std::size_t y = 1) {
  std::array<Vector, 2> some;
  for (Index i = 0; i < points.count(); ++i) {
    if (!points.wrong(i)) continue;
    some[0].push_back(points.at[x][static_cast<std::size_t>(i)]);
    some[1].push_back(points.at[y][static_cast<std::size_t>(i)]);
  }
  return some;
}

}  // namespace

double round_step(const figure::Range& range) {
  const double third = (range.high - range.low) / 2.5;
  const double power = std::pow(10, std::floor(std::log10(third)));
  for (const double factor : {5.0, 2.0})
    if (factor * power <= third) return factor * power;
  return power;
}

Interpolation::Interpolation(const figure::Grid& grid, double column, double row)
    : columns_(std::ssize(grid.x)),
      i_(std::clamp<Index>(static_cast<Index>(column), 0, columns_ - 2)),
      j_(std::clamp<Index>(static_cast<Index>(row), 0, std::ssize(grid.y) - 2)),
      u_(column - static_cast<double>(i_)),
      v_(row - static_cast<double>(j_)) {}

const char* line_of_mass(std::size_t place) {
  constexpr std::array<const char*, 3> lines{"dt 1 lw 1.8", "dt (8,4) lw 1.4", "dt (2,4) lw 1.4"};
  return lines[std::min(place, lines.size() - 1)];
}

Raster raster_over(const figure::Frame& frame, Index width, Index height) {
  return {width, height, frame.axes[0].range, frame.axes[1].range};
}

Vector masses_of(const std::vector<figure::Ellipse>& ellipses) {
  Vector masses;
  for (const figure::Ellipse& ellipse : ellipses)
    if (std::ranges::find(masses, ellipse.mass) == masses.end()) masses.push_back(ellipse.mass);
  return masses;
}

void shade(Raster& raster, const figure::Regions& figure) {
  const Index classes = figure.posterior.columns();
  const double min = 1 / static_cast<double>(classes);
  raster.fill(figure.grid, [&](double column, double row) {
    const Interpolation between(figure.grid, column, row);
    std::array<Index, 4> labels{};
    std::ranges::transform(between.corners(), labels.begin(), [&](Index cell) {
      return Index{figure.labels[static_cast<std::size_t>(cell)]};
    });
    Index best = labels[0];
    double max = -1;
    for (const Index k : labels) {
      const double p = between([&](Index cell) { return figure.posterior(cell, k); });
      if (p > max) {
        max = p;
        best = k;
      }
    }
    const double sure = classes > 1 ? std::clamp((max - min) / (1 - min), 0.0, 1.0) : 1;
    return mixed(white, colour_of(best), 0.10 + 0.32 * sure);
  });
}

void shade(Raster& raster, const figure::Density& figure) {
  const double max = *std::ranges::max_element(figure.density);
  raster.fill(figure.grid, [&](double column, double row) {
    const double p = Interpolation(figure.grid, column, row)(
        [&](Index cell) { return figure.density[static_cast<std::size_t>(cell)]; });
    return mixed(white, Colour{0.25, 0.3, 0.4}, max > 0 ? 0.75 * std::sqrt(p / max) : 0);
  });
}

void dot(Raster& raster, const Points& points, const std::vector<std::int32_t>& classes,
         std::size_t x, std::size_t y) {
  std::vector<Colour> colours;
  for (Index i = 0; i < points.count(); ++i) {
    const std::int32_t k = classes.empty() ? 0 : classes[static_cast<std::size_t>(i)];
    colours.push_back(k < 0 ? Colour{0.5, 0.5, 0.5} : colour_of(k));
  }
  const bool many = points.count() > 50000;
  const double scale = static_cast<double>(raster.width()) / 900;
  const double radius = std::max(0.5, (many ? 0.9 : 1.8) * scale);
  raster.dots(points.at[x], points.at[y], colours, radius, many ? 0.5 : 0.7);
  const std::array<Vector, 2> wrong = wrong_points(points, x, y);
  raster.dots(wrong[0], wrong[1], std::vector<Colour>(wrong[0].size(), black), radius / 1.5,
              many ? 0.4 : 0.7);
}

std::array<Vector, 2> points_of_class(const Points& points,
                                      const std::vector<std::int32_t>& classes, Index k,
                                      std::size_t x, std::size_t y) {
  std::array<Vector, 2> some;
  for (Index i = 0; i < points.count(); ++i) {
    const auto place = static_cast<std::size_t>(i);
    if (classes.empty() ? k != 0 : classes[place] != k) continue;
    some[0].push_back(points.at[x][place]);
    some[1].push_back(points.at[y][place]);
  }
  return some;
}

std::string class_key(const figure::Frame& frame, Index k) {
  return key_entry(fmt::format("with points pt {} ps 1.1 lc {}", shape_of(k), hex(colour_of(k))),
                   frame.classes[static_cast<std::size_t>(k)]);
}

void Plane::add_points(const Points& points, const std::vector<std::int32_t>& classes, double scale,
                       std::size_t x, std::size_t y) {
  const double size = scale * (points.count() > 1000 ? 0.45 : points.count() > 300 ? 0.65 : 0.85);
  for (Index k = -1; k < std::max<Index>(1, std::ssize(frame_.classes)); ++k) {
    const std::array<Vector, 2> some = points_of_class(points, classes, k, x, y);
    if (some[0].empty()) continue;
    const std::string block = script_.block({some[0], some[1]});
    const int shape = k < 0 ? 1 : shape_of(k);
    const Colour colour = k < 0 || classes.empty() ? Colour{0.4, 0.4, 0.4} : colour_of(k);
    const bool filled = shape >= 5 && shape % 2 == 1;
    if (filled)
      add(fmt::format("{} with points pt {} ps {:.2f} lc '#ffffff' notitle", block, shape,
                      size + 0.25 * scale));
    add(fmt::format("{} with points pt {} ps {:.2f} lw {} lc {} notitle", block, shape, size,
                    filled ? 1.0 : 1.4, hex(colour)));
  }
}

void Plane::add_class_keys() {
  if (frame_.classes.size() < 2) return;
  for (Index k = 0; k < std::ssize(frame_.classes); ++k) add(class_key(frame_, k));
}

void Plane::add_key(const std::string& style, const std::string& title) {
  add(key_entry(style, title, 60));
  ++entries_;
}

void Plane::add_wrong(const Points& points) {
  const std::array<Vector, 2> some = wrong_points(points);
  if (some[0].empty()) return;
  const std::string title = fmt::format("misclassified ({})", some[0].size());
  constexpr std::size_t max_rings = 50;  // more would hide the figure
  const bool rings = some[0].size() <= max_rings && !too_many(points);
  if (!too_many(points))
    add(fmt::format("{} with points {} lc '#000000' notitle", script_.block({some[0], some[1]}),
                    rings ? "pt 6 ps 1.5 lw 1.4" : "pt 7 ps 0.25"));
  add_key(rings ? "with points pt 6 ps 1.3 lw 1.4 lc '#000000'"
                : "with points pt 7 ps 0.4 lc '#000000'",
          title);
}

void Plane::add_ellipses(const std::vector<figure::Ellipse>& ellipses, bool keys, bool on_dark) {
  const Vector masses = masses_of(ellipses);
  for (Index k = 0; k < std::ssize(frame_.classes); ++k) {
    for (std::size_t m = 0; m < masses.size(); ++m) {
      std::vector<figure::Curve> outlines;
      for (const figure::Ellipse& ellipse : ellipses)
        if (ellipse.of_class == k && ellipse.mass == masses[m]) outlines.push_back(ellipse.outline);
      if (outlines.empty()) continue;
      add(fmt::format("{} with lines lc {} {} notitle", script_.curves(outlines),
                      hex(darker(colour_of(k), on_dark ? 0.75 : 0.25)), line_of_mass(m)));
    }
  }
  for (std::size_t m = 0; keys && m < masses.size(); ++m)
    add_key(fmt::format("with lines lc '#444444' {}", line_of_mass(m)),
            fmt::format("{:.3g} % inside", 100 * masses[m]));
}

void Plane::finish() {
  if (frame_.classes.size() < 2 && entries_ == 0) return finish_without_legend();
  script_.legend(frame_.classes.size() < 2 ? "" : frame_.target, frame_.classes.size() + entries_);
  script_.plot(items_);
}

void Plane::finish_without_legend() {
  script_.line("unset key");
  script_.plot(items_);
}

}  // namespace genera::cli
