#include "plot/plane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace genera::cli {
namespace {

std::size_t longest_name(const std::vector<std::string>& names, std::size_t max) {
  std::size_t longest = 0;
  for (const std::string& name : names) longest = std::max(longest, name.size());
  return std::min(longest, max);
}

std::string tics_of(const std::vector<std::string>& names, std::size_t max) {
  std::string tics;
  for (std::size_t i = 0; i < names.size(); ++i)
    tics += fmt::format("{}{} {}", i > 0 ? ", " : "", quoted_tic(names[i], max), i);
  return tics;
}

/// The counts of a confusion matrix, light on dark cells and dark on light ones.
void add_counts(Script& script, const figure::Confusion& figure, std::vector<std::string>& items) {
  for (const bool dark : {false, true}) {
    std::array<Vector, 3> cells;
    for (Index k = 0; k < figure.counts.rows(); ++k) {
      for (Index l = 0; l < figure.counts.columns(); ++l) {
        if (figure.counts(k, l) == 0 || (figure.shares(k, l) > 0.55) != dark) continue;
        cells[0].push_back(static_cast<double>(l));
        cells[1].push_back(static_cast<double>(k));
        cells[2].push_back(figure.counts(k, l));
      }
    }
    if (cells[0].empty()) continue;
    items.push_back(fmt::format(
        "{} using 1:2:(sprintf('%d', int($3))) with labels font ',{}' tc rgb '{}' notitle",
        script.block({cells[0], cells[1], cells[2]}), figure.counts.rows() > 12 ? 10 : 13,
        dark ? "#ffffff" : "#222222"));
  }
}

/// Horizontal bars, the first one on top.
void bars(Script& script, const std::vector<figure::Bar>& bars, const Colour& colour,
          std::size_t max_name) {
  std::array<Vector, 2> ends;
  std::vector<std::string> names;
  double min = 0, max = 0;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    ends[0].push_back(bars[i].value);
    ends[1].push_back(static_cast<double>(i));
    names.push_back(bars[i].name);
    min = std::min(min, bars[i].value);
    max = std::max(max, bars[i].value);
  }
  script.line(
      fmt::format("set yrange [{}:-0.7]\nset ytics ({}) scale 0 noenhanced\nset xrange "
                  "[{:.6g}:{:.6g}]",
                  static_cast<double>(bars.size()) - 0.3, tics_of(names, max_name), 1.05 * min,
                  max > min ? 1.05 * max : 1));
  if (max > min) script.line(fmt::format("set xtics {:.1g}", round_step({min, max})));
  script.plot(
      {fmt::format("{} using ($1/2):2:(abs($1)/2):(0.36) with boxxyerror fs solid noborder "
                   "fc rgb {} notitle",
                   script.block({ends[0], ends[1]}), hex(colour))});
}

/// The width of the names, in pixels.
double room_for(const std::vector<figure::Bar>& bars, std::size_t max) {
  std::size_t longest = 0;
  for (const figure::Bar& bar : bars) longest = std::max(longest, bar.name.size());
  return 18 + 7.2 * static_cast<double>(std::min(longest, max));
}

/// A grid with one row or one column, as a curve.
figure::Trends curve_of(const figure::HeatMap& map) {
  const bool row = map.y.size() == 1;
  figure::Trends curve{.frame = map.frame};
  curve.frame.axes = {map.frame.axes[row ? 0 : 1], {map.value_name, {}}};
  figure::Trend& trend = curve.trends.emplace_back();
  trend.name = fmt::format("{} = {:g}", row ? "gamma" : "alpha", row ? map.y[0] : map.x[0]);
  trend.x = row ? map.x : map.y;
  trend.y = {map.values.data(), map.values.data() + trend.x.size()};
  if (map.best)
    curve.best = {0, static_cast<std::size_t>(row ? map.best->second : map.best->first)};
  return curve;
}

/// The separation by each number above, and a panel for each class below.
class FeaturesDrawing {
 public:
  FeaturesDrawing(const figure::Features& figure, const Look& look)
      : figure_(figure), look_(look), above_(title_height(look)) {
    std::size_t lines = 0;
    for (std::size_t k = 0; k < figure.evidence.size(); ++k) {
      const std::vector<figure::Bar>& bars_of_class = figure.evidence[k];
      if (bars_of_class.empty() || classes_.size() == max_panels) continue;
      classes_.push_back(k);
      lines = std::max(lines, bars_of_class.size());
      names_ = std::max(names_, room_for(bars_of_class, max_name));
    }
    columns_ = classes_.size() <= 3   ? std::max<std::size_t>(classes_.size(), 1)
               : classes_.size() <= 8 ? 4
                                      : 5;
    panel_width_ = names_ + 130;
    panel_height_ = 90 + line_height * static_cast<double>(lines);
    if (!figure.separation.empty())
      numbers_height_ = 90 + line_height * static_cast<double>(figure.separation.size());
    const auto rows = static_cast<double>((classes_.size() + columns_ - 1) / columns_);
    width_ = std::max(figure.separation.empty() ? 300.0 : 640.0,
                      classes_.empty() ? 0 : panel_width_ * static_cast<double>(columns_) + 10);
    const double caption = caption_height(figure.frame.caption, width_);
    height_ = above_ + numbers_height_ + panel_height_ * rows + (caption > 0 ? caption + 24 : 0);
  }

  [[nodiscard]] Drawing draw() const {
    Script script(width_, height_, look_);
    script.caption(figure_.frame.caption);
    script.multiplot(look_);
    script.line("set border 3 lc '#888888'");
    if (!figure_.separation.empty()) draw_numbers(script);
    for (std::size_t i = 0; i < classes_.size(); ++i) draw_class(script, i);
    return std::move(script).take();
  }

 private:
  static constexpr std::size_t max_panels = 24, max_name = 22, max_number_name = 30;
  static constexpr double line_height = 21;

  struct Box {
    double left, right, top, bottom;  // in pixels, from the upper left corner
  };
  void put(Script& script, const Box& box) const {
    script.place(
        {box.left / width_, box.right / width_, 1 - box.bottom / height_, 1 - box.top / height_});
  }

  void draw_numbers(Script& script) const {
    put(script, {room_for(figure_.separation, max_number_name), width_ - 20, 14 + above_,
                 numbers_height_ + above_ - 60});
    script.line("set xlabel 'share of the variance that is between the classes' font ',13'");
    bars(script, figure_.separation, Colour{0.35, 0.4, 0.45}, max_number_name);
    script.line("unset label");
  }

  void draw_class(Script& script, std::size_t place) const {
    const std::size_t k = classes_[place];
    const double left = panel_width_ * static_cast<double>(place % columns_);
    const double top =
        above_ + numbers_height_ + panel_height_ * static_cast<double>(place / columns_);
    put(script, {left + names_, left + panel_width_ - 16, top + 28, top + panel_height_ - 54});
    const Colour colour = colour_of(static_cast<Index>(k));
    script.line(
        fmt::format("set title {} noenhanced font ',14' offset 0,-0.7 tc rgb {}\nset xlabel "
                    "'log odds' font ',11'\nset xtics font ',10'",
                    quoted(figure_.frame.classes[k], 24), hex(colour)));
    bars(script, figure_.evidence[k], colour, max_name);
    script.line("unset label");
  }

  const figure::Features& figure_;
  const Look& look_;
  std::vector<std::size_t> classes_{};  // that have a panel
  std::size_t columns_ = 1;             // of panels
  double above_, names_ = 0, panel_width_ = 0, panel_height_ = 0, numbers_height_ = 0;
  double width_ = 0, height_ = 0;
};

}  // namespace

Drawing drawing_of(const figure::Confusion& figure, const Look& look) {
  const auto classes = static_cast<double>(figure.counts.rows());
  constexpr std::size_t max = 20;
  const double names = 7.6 * static_cast<double>(longest_name(figure.frame.classes, max));
  const double side = std::clamp(60 * classes, 220.0, 560.0);
  const bool slanted = names > side / classes - 8;
  const double beyond = !slanted ? 24 : classes > 15 ? 0.55 * names : 0.8 * names;
  const double left = 66 + names, top = 24 + title_height(look);
  const double width = std::max(420.0, left + side + beyond);
  const double bottom =
      68 + (slanted ? 0.75 * names : 0) + caption_height(figure.frame.caption, width);
  const double height = side + bottom + top;
  Script script(width, height, look);
  script.caption(figure.frame.caption);
  const double edge = classes - 0.5;
  script.plane({"predicted", {-0.5, edge}}, {"true", {-0.5, edge}});
  script.place({left / width, (left + side) / width, bottom / height, 1 - top / height});
  script.line(
      fmt::format("set yrange [{}:-0.5]\nset xtics ({}) {} scale 0 "
                  "noenhanced\nset ytics ({}) scale 0 noenhanced",
                  edge, tics_of(figure.frame.classes, max),
                  !slanted       ? "norotate"
                  : classes > 15 ? "rotate by -60 left font ',9'"
                                 : "rotate by -40 left",
                  tics_of(figure.frame.classes, max)));
  const Index n = figure.counts.rows();
  Raster raster(n, n, {-0.5, edge}, {-0.5, edge});
  raster.each([&](Index column, Index row) {
    const double share = figure.shares(row, column);
    return mixed(white, row == column ? colour_of(0) : colour_of(1),
                 share > 0 ? 0.08 + 0.92 * share : 0);
  });
  std::vector<std::string> items{script.image(raster)};
  if (figure.counts.rows() <= 30) add_counts(script, figure, items);
  script.plot(items);
  return std::move(script).take();
}

Drawing drawing_of(const figure::HeatMap& figure, const Look& look) {
  if (figure.x.size() == 1 || figure.y.size() == 1) return drawing_of(curve_of(figure), look);
  Script script(680, 500, look);
  script.line("set rmargin at screen 0.78");
  script.caption(figure.frame.caption);
  const auto step = [](const Vector& values) {
    return values.size() > 1
               ? (values.back() - values.front()) / static_cast<double>(values.size() - 1) / 2
               : 0.5;
  };
  const double dx = step(figure.x), dy = step(figure.y);
  script.plane({figure.frame.axes[0].name, {figure.x.front() - dx, figure.x.back() + dx}},
               {figure.frame.axes[1].name, {figure.y.front() - dy, figure.y.back() + dy}});
  script.line(
      fmt::format("set palette defined (0 '#0b2a55', 0.35 '#2b7bba', 0.7 '#a6cbe3', 1 "
                  "'#f4f7fb')\nset cblabel {} noenhanced font ',13'\nset cbtics font ',12'",
                  quoted(figure.value_name, 60)));
  std::array<Vector, 3> cells;
  for (Index j = 0; j < figure.values.rows(); ++j) {
    for (Index i = 0; i < figure.values.columns(); ++i) {
      cells[0].push_back(figure.x[static_cast<std::size_t>(i)]);
      cells[1].push_back(figure.y[static_cast<std::size_t>(j)]);
      cells[2].push_back(figure.values(j, i));
    }
  }
  std::vector<std::string> items{
      fmt::format("{} using 1:2:({:.9g}):({:.9g}):3 with boxxyerror fs solid noborder lc palette "
                  "notitle",
                  script.block({cells[0], cells[1], cells[2]}), dx, dy)};
  if (figure.best) {
    const Vector x{figure.x[static_cast<std::size_t>(figure.best->second)]};
    const Vector y{figure.y[static_cast<std::size_t>(figure.best->first)]};
    const std::string block = script.block({x, y});
    items.push_back(block + " with points pt 6 ps 2.4 lw 5 lc '#ffffff' notitle");
    items.push_back(block + " with points pt 6 ps 2.4 lw 2.4 lc '#d55e00' notitle");
  }
  script.plot(items);
  return std::move(script).take();
}

Drawing drawing_of(const figure::Features& figure, const Look& look) {
  return FeaturesDrawing(figure, look).draw();
}

}  // namespace genera::cli
