#include "plot/plane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace genera::cli {
namespace {

/// Sheets are lighter than the colour of their class, because gnuplot shades them.
Colour sheet_colour(Index k) { return mixed(colour_of(k), white, 0.4); }

/// An entry without a sample, because gnuplot aligns titles of legends in space to the right.
std::string legend_title(const figure::Frame& frame) {
  return key_entry("with points pt 0 lc '#ffffff'", frame.target, 24);
}

/// The lines of a grid of points (x, y, z).
class Sheet {
 public:
  void add(double x, double y, double z) {
    fmt::format_to(std::back_inserter(text_), "{} {} {}\n", x, y, z);
  }
  void next_line() { text_ += '\n'; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void set_view(Script& script, const figure::Frame& frame, const Look& look) {
  script.line("set view 58,32,1");
  script.line("set xyplane at 0\nset border 4095 lw 0.6 lc '#bbbbbb'\nunset colorbox");
  script.line(
      "set pm3d depthorder border lc '#555555' lw 0.25 lighting specular 0.15\nset style "
      "fill transparent solid 0.92");
  script.line("set grid x y vertical lc '#dddddd' lw 0.5");
  script.plane(frame.axes[0], frame.axes[1]);
  if (look.equal) script.line(frame.axes.size() > 2 ? "set view equal xyz" : "set view equal xy");
  constexpr std::size_t max_name = 26;  // longer ones would leave the slanted axes
  constexpr double axis = 220;          // pixels, about
  for (const std::size_t a : {0, 1})
    script.line(fmt::format("set {}label {}\nset {}tics {:.1g}", "xy"[a],
                            quoted(frame.axes[a].name, max_name), "xy"[a],
                            tic_step(frame.axes[a].range, axis)));
  script.line(
      "set xlabel offset 0,-0.6\nset ylabel offset 0,-0.6\nset ztics out scale 0.5 font ',11' "
      "format '%.3g'");
}

/// Points below `min` are not drawn, because they would only show the floor.
std::string sheet_of(Script& script, const figure::Density& figure, auto height, double min) {
  Sheet sheet;
  const Index columns = std::ssize(figure.grid.x);
  for (std::size_t j = 0; j < figure.grid.y.size(); ++j) {
    for (std::size_t i = 0; i < figure.grid.x.size(); ++i) {
      const double z = height(static_cast<Index>(j) * columns + static_cast<Index>(i));
      sheet.add(figure.grid.x[i], figure.grid.y[j], z < min ? std::nan("") : z);
    }
    sheet.next_line();
  }
  return script.block(sheet.text());
}

/// The boundaries on the surface. Each has its own block, because gnuplot would join them to a
/// sheet. Points below `min` are left out.
std::vector<std::string> lifted(Script& script, const figure::Density& figure, double min) {
  const figure::Grid& grid = figure.grid;
  const auto place = [](const Vector& places, double x) {
    return (x - places.front()) / (places.back() - places.front()) *
           static_cast<double>(places.size() - 1);
  };
  std::vector<std::string> blocks;
  for (const figure::Curve& curve : figure.boundaries) {
    Sheet sheet;
    Index high = 0;
    for (std::size_t p = 0; p < curve.x.size(); ++p) {
      const Interpolation between(grid, place(grid.x, curve.x[p]), place(grid.y, curve.y[p]));
      const double z =
          between([&](Index cell) { return figure.joint(cell, std::max<Index>(curve.first, 0)); });
      if (z < min) continue;
      sheet.add(curve.x[p], curve.y[p], z + min);
      ++high;
    }
    if (high > 1) blocks.push_back(script.block(sheet.text()));
  }
  return blocks;
}

std::string ellipsoid(Script& script, const figure::Ellipsoid& solid) {
  constexpr int around = 24, along = 12;
  Sheet sheet;
  for (int i = 0; i <= along; ++i) {
    const double polar = std::numbers::pi * i / along;
    for (int j = 0; j <= around; ++j) {
      const double turn = 2 * std::numbers::pi * j / around;
      const Vector unit{std::sin(polar) * std::cos(turn), std::sin(polar) * std::sin(turn),
                        std::cos(polar)};
      Vector at = solid.centre;
      for (Index a = 0; a < 3; ++a) {
        for (Index c = 0; c < 3; ++c)
          at[static_cast<std::size_t>(c)] += unit[static_cast<std::size_t>(a)] * solid.axes(a, c);
      }
      sheet.add(at[0], at[1], at[2]);
    }
    sheet.next_line();
  }
  return script.block(sheet.text());
}

/// The points of class k; if there are too many, evenly chosen ones.
std::string some_points(Script& script, const figure::Points& points, Index k) {
  Sheet sheet;
  const Index step = points.count() / max_single_points + 1;
  bool any = false;
  for (Index i = 0; i < points.count(); i += step) {
    const auto p = static_cast<std::size_t>(i);
    if (points.classes.empty() ? k != 0 : points.classes[p] != k) continue;
    sheet.add(points.at[0][p], points.at[1][p], points.at[2][p]);
    any = true;
  }
  return any ? script.block(sheet.text()) : std::string();
}

}  // namespace

Drawing surface_drawing(const figure::Density& figure, const Look& look) {
  const bool many = figure.frame.classes.size() > 16;  // a legend of one column needs the height
  Script script(many ? 800 : 720, many ? 720 : 560, look);
  set_view(script, figure.frame, look);
  script.caption(figure.frame.caption);
  script.line(fmt::format("set zlabel '{}' rotate by 90 offset 0,0 noenhanced font ',14'",
                          look.by_class ? "prior × density" : "density"));
  script.legend("", figure.frame.classes.size());
  const double max = *std::ranges::max_element(figure.density);
  const double top = look.by_class ? highest(figure.joint) : max;
  script.line(fmt::format("set zrange [0:{:.6g}]", 1.02 * top));
  std::vector<std::string> items;
  if (!look.by_class) {
    items.push_back(sheet_of(
                        script, figure,
                        [&](Index cell) { return figure.density[static_cast<std::size_t>(cell)]; },
                        0.002 * max) +
                    " with pm3d fc rgb '#8ecbee' notitle");
    script.plot(items, "splot");
    return std::move(script).take();
  }
  for (Index k = 0; k < figure.joint.columns(); ++k) {
    items.push_back(fmt::format(
        "{} with pm3d fc rgb {} notitle",
        sheet_of(
            script, figure, [&](Index cell) { return figure.joint(cell, k); }, 0.004 * max),
        hex(sheet_colour(k))));
  }
  const std::vector<std::string> lines = lifted(script, figure, 0.004 * max);
  std::vector<std::string> keys{legend_title(figure.frame)};
  for (Index k = 0; k < figure.joint.columns(); ++k)
    keys.push_back(key_entry("with points pt 5 ps 1.4 lc rgb " + hex(sheet_colour(k)),
                             figure.frame.classes[static_cast<std::size_t>(k)]));
  if (!lines.empty())
    keys.push_back(key_entry("with lines lw 2.2 lc '#000000'", "equally probable"));
  items.insert(items.end(), keys.begin(), keys.end());
  script.line("set multiplot");
  script.plot(items, "splot");
  if (lines.empty()) return std::move(script).take();
  items.clear();  // a second panel over the first: sheets would hide the lines
  script.line(
      "unset border\nunset tics\nunset xlabel\nunset ylabel\nunset zlabel\nunset "
      "label\nunset "
      "title\nunset grid");
  for (const std::string& block : lines)
    items.push_back(block + " with lines lw 2.2 lc '#000000' notitle");
  items.insert(items.end(), keys.begin(), keys.end());  // so that both have the same margins
  script.plot(items, "splot");
  return std::move(script).take();
}

Drawing drawing_of(const figure::Solid& figure, const Look& look) {
  Script script(720, 600, look);
  set_view(script, figure.frame, look);
  const figure::Axis& z = figure.frame.axes[2];
  script.line("set xyplane relative 0");
  script.line(
      fmt::format("set zrange [{:.12g}:{:.12g}]\nset zlabel {} rotate by 90 offset 0,0 "
                  "noenhanced font ',14'",
                  z.range.low, z.range.high, quoted(z.name, 26)));
  std::vector<std::string> caption = figure.frame.caption;
  std::string masses;
  for (const figure::Ellipsoid& solid : figure.ellipsoids) {
    const std::string mass = fmt::format("{:.3g} %", 100 * solid.mass);
    if (masses.find(mass) == std::string::npos) masses += (masses.empty() ? "" : " and ") + mass;
  }
  if (!masses.empty()) caption.push_back("inside of the surfaces: " + masses + " of each class");
  if (too_many(figure.points))
    caption.push_back(
        fmt::format("one of {} points is shown", figure.points.count() / max_single_points + 1));
  script.caption(caption);
  script.legend("", figure.frame.classes.size());
  std::vector<std::string> items;
  for (const figure::Ellipsoid& solid : figure.ellipsoids)
    items.push_back(fmt::format("{} with lines lw 0.8 lc {} notitle", ellipsoid(script, solid),
                                hex(colour_of(solid.of_class))));
  for (Index k = -1; k < std::ssize(figure.frame.classes); ++k) {
    const std::string points = some_points(script, figure.points, k);
    if (!points.empty())
      items.push_back(fmt::format("{} with points pt {} ps 0.6 lc {} notitle", points,
                                  k < 0 ? 1 : shape_of(k),
                                  hex(k < 0 ? Colour{0.4, 0.4, 0.4} : colour_of(k))));
  }
  items.push_back(legend_title(figure.frame));
  for (Index k = 0; k < std::ssize(figure.frame.classes); ++k)
    items.push_back(class_key(figure.frame, k));
  script.plot(items, "splot");
  return std::move(script).take();
}

}  // namespace genera::cli
