#include "plot/plane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace genera::cli {
namespace {

/// A legend at the right, in its own panel with the height of the figure: gnuplot cuts legends that
/// are higher than their panel.
void put_legend(Script& script, const figure::Frame& frame, double left, double top) {
  script.place({0.001, 0.999, 0.001, 0.999});
  script.legend(frame.target, frame.classes.size());
  script.line(
      fmt::format("set key at screen {:.5f},{:.5f} left top\nunset title\nunset label\nunset "
                  "border\nunset tics\nunset xlabel\nunset ylabel\nset xrange [0:1]\nset "
                  "yrange [0:1]",
                  left, top));
  Plane plane(script, frame);
  plane.add("2 notitle");
  plane.add_class_keys();
  plane.finish_with_placed_legend();
}

/// The height of a legend with a title and an entry for each class, in pixels.
double legend_height(std::size_t classes) {
  const double line = classes > 24 ? 14 : classes > 16 ? 18 : 22;
  return line * static_cast<double>(classes + 2);
}

void add_panel_points(Script& script, Plane& plane, const figure::Frame& frame,
                      const figure::Points& points) {
  if (!too_many(points)) return plane.add_points(points, points.classes, 0.8);
  Raster raster = raster_over(frame, 600, 600);
  dot(raster, points, points.classes);
  plane.add(script.image(raster));
}

/// The width of the numbers at the left of panels.
double widest_tic(const figure::Frame& frame) {
  double widest = 0;
  for (const figure::Axis& axis : frame.axes) widest = std::max(widest, tic_width(axis.range, 10));
  return widest;
}

class PairsDrawing {
 public:
  PairsDrawing(const figure::Pairs& figure, const Look& look)
      : figure_(figure),
        look_(look),
        top_(12 + title_height(look)),
        count_(std::ssize(figure.frame.axes)),
        side_(std::clamp(620.0 / static_cast<double>(count_), 90.0, 240.0)),
        left_(50 + widest_tic(figure.frame)),
        width_(left_ + side_ * static_cast<double>(count_) + legend_width(figure.frame)),
        bottom_(60 + caption_height(figure.frame.caption, width_)),
        height_(top_ + side_ * static_cast<double>(count_) + bottom_),
        script_(width_, height_, look) {}

  Drawing draw() && {
    script_.caption(figure_.frame.caption);
    script_.multiplot(look_);
    script_.line("set xtics font ',10'\nset ytics font ',10'");
    for (Index row = 0; row < count_; ++row) {
      for (Index column = 0; column < count_; ++column) panel(row, column);
    }
    put_legend(script_, figure_.frame, (left_ + side_ * static_cast<double>(count_) + 10) / width_,
               1 - top_ / height_);
    return std::move(script_).take();
  }

 private:
  void panel(Index row, Index column) {
    const auto c = static_cast<double>(column), r = static_cast<double>(row);
    constexpr double gap = 5;
    script_.place({(left_ + side_ * c) / width_, (left_ + side_ * (c + 1) - gap) / width_,
                   1 - (top_ + side_ * (r + 1) - gap) / height_, 1 - (top_ + side_ * r) / height_});
    figure::Axis x = figure_.frame.axes[static_cast<std::size_t>(column)];
    figure::Axis y = figure_.frame.axes[static_cast<std::size_t>(row)];
    const bool lowest = row + 1 == count_, first = column == 0;
    if (row == column) {
      const figure::Line& line = figure_.lines[static_cast<std::size_t>(row)];
      y.range = {0, line.joint.empty() ? 1.02 : 1.08 * highest(line.joint)};
    }
    name_axes(x, y, lowest, first);
    if (row == column) return diagonal(row);
    figure::Frame frame = figure_.frame;
    frame.axes = {x, y};
    Plane plane(script_, frame);
    if (column < row) {
      below(plane, frame, row, column);
    } else {
      above(plane, frame, row, column);
    }
    plane.finish_without_legend();
    script_.line("unset label");
  }

  void name_axes(const figure::Axis& x, const figure::Axis& y, bool lowest, bool first) {
    script_.plane(x, y);
    const auto max = static_cast<std::size_t>(side_ / 8.4);
    script_.line(
        fmt::format("set xlabel {} font ',12' noenhanced\nset ylabel {} font ',12' "
                    "noenhanced",
                    lowest ? quoted(x.name, max) : "''", first ? quoted(y.name, max) : "''"));
    script_.line(fmt::format("set format x '{}'\nset format y '{}'",
                             lowest ? tic_format(x.range) : "", first ? tic_format(y.range) : ""));
    script_.line(fmt::format("set xtics {:.1g}\nset ytics {:.1g}",
                             std::max(round_step(x.range), tic_step(x.range, side_, 10)),
                             round_step(y.range)));
  }

  void diagonal(Index place) {
    const figure::Line& line = figure_.lines[static_cast<std::size_t>(place)];
    const Matrix& values = line.joint.empty() ? line.posterior : line.joint;
    script_.line("unset key\nset format y ''");
    std::vector<std::string> items;
    for (Index k = 0; k < values.columns(); ++k) {
      items.push_back(fmt::format("{} with lines lw 1.8 dt {} lc {} notitle",
                                  script_.block({line.x, column_of(values, k)}), dash_of(k),
                                  hex(colour_of(k))));
    }
    script_.plot(items);
    script_.line("unset label");
  }

  void below(Plane& plane, const figure::Frame& frame, Index row, Index column) {
    const figure::Regions& regions =
        figure_.below[static_cast<std::size_t>(row * (row - 1) / 2 + column)];
    Raster raster = raster_over(frame, 240, 240);
    shade(raster, regions);
    plane.add(script_.image(raster));
    plane.add(script_.curves(regions.boundaries) + " with lines lc '#222222' lw 1.1 notitle");
    if (regions.ellipses.size() <= 6) plane.add_ellipses(regions.ellipses, false);
  }

  void above(Plane& plane, const figure::Frame& frame, Index row, Index column) {
    const auto x = static_cast<std::size_t>(column), y = static_cast<std::size_t>(row);
    if (figure_.points.count() * count_ * count_ / 2 <= 4 * max_single_points)
      return plane.add_points(figure_.points, figure_.points.classes, 0.55, x, y);
    Raster raster = raster_over(frame, 300, 300);
    dot(raster, figure_.points, figure_.points.classes, x, y);
    plane.add(script_.image(raster));
  }

  const figure::Pairs& figure_;
  const Look& look_;
  double top_;
  Index count_;
  double side_, left_, width_, bottom_, height_;
  Script script_;
};

}  // namespace

Drawing drawing_of(const figure::Samples& figure, const Look& look) {
  const double left = 46 + tic_width(figure.frame.axes[1].range);
  const double side = 380, top = 34 + title_height(look), gap = 26;
  const bool both = !figure.data.at.empty();
  const double panels = both ? 2 * side + gap : side;
  const double width = left + panels + legend_width(figure.frame);
  const double rows = std::max(side, legend_height(figure.frame.classes.size()));
  const double height = top + rows + 68 + caption_height(figure.frame.caption, width);
  Script script(width, height, look);
  script.caption(figure.frame.caption);
  script.multiplot(look);
  for (const bool data : {true, false}) {
    if (data && !both) continue;
    const double begin = data || !both ? left : left + side + gap;
    script.place(
        {begin / width, (begin + side) / width, 1 - (top + side) / height, 1 - top / height});
    figure::Frame frame = figure.frame;
    script.plane(frame.axes[0], frame.axes[1]);
    if (look.equal) script.line("set size ratio -1");
    const figure::Axis& x = frame.axes[0];
    script.line(fmt::format("set xlabel {}", quoted(x.name, static_cast<std::size_t>(side / 9))));
    if (tic_step(x.range, side) > round_step(x.range))
      script.line(fmt::format("set xtics {:.1g}", tic_step(x.range, side)));
    script.line(fmt::format("set title '{}' font ',14' offset 0,-0.6",
                            data ? "data" : "drawn from the model"));
    if (!data && both) script.line("unset ylabel\nset format y ''\nunset label");
    Plane plane(script, frame);
    add_panel_points(script, plane, frame, data ? figure.data : figure.drawn);
    plane.finish_without_legend();
  }
  put_legend(script, figure.frame, (left + panels + 12) / width, 1 - top / height);
  return std::move(script).take();
}

Drawing drawing_of(const figure::Pairs& figure, const Look& look) {
  return PairsDrawing(figure, look).draw();
}

}  // namespace genera::cli
