#include "plot/plane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace genera::cli {
namespace {

std::size_t longest_name(const std::vector<std::string>& names, std::size_t most) {
  std::size_t longest = 0;
  for (const std::string& name : names) longest = std::max(longest, name.size());
  return std::min(longest, most);
}

std::string tics_of(const std::vector<std::string>& names, std::size_t most) {
  std::string tics;
  for (std::size_t i = 0; i < names.size(); ++i)
    tics += fmt::format("{}{} {}", i > 0 ? ", " : "", quoted_tic(names[i], most), i);
  return tics;
}

/// Numbers of the cells of a confusion matrix, light on dark or dark on light.
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
    const std::array<std::span<const double>, 3> columns{cells[0], cells[1], cells[2]};
    items.push_back(fmt::format(
        "{} using 1:2:(sprintf('%d', int($3))) with labels font ',{}' tc rgb '{}' notitle",
        script.block(columns), figure.counts.rows() > 12 ? 10 : 13, dark ? "#ffffff" : "#222222"));
  }
}

/// Bars to the right, the first one on top.
void bars(Script& script, const std::vector<figure::Bar>& bars, const Colour& colour,
          std::size_t name_most) {
  std::array<Vector, 2> ends;
  std::vector<std::string> names;
  double least = 0, most = 0;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    ends[0].push_back(bars[i].value);
    ends[1].push_back(static_cast<double>(i));
    names.push_back(bars[i].name);
    least = std::min(least, bars[i].value);
    most = std::max(most, bars[i].value);
  }
  script.line(
      fmt::format("set yrange [{}:-0.7]\nset ytics ({}) scale 0 noenhanced\nset xrange "
                  "[{:.6g}:{:.6g}]",
                  static_cast<double>(bars.size()) - 0.3, tics_of(names, name_most), 1.05 * least,
                  most > least ? 1.05 * most : 1));
  if (most > least) script.line(fmt::format("set xtics {:.1g}", round_step({least, most})));
  script.plot(
      {fmt::format("{} using ($1/2):2:(abs($1)/2):(0.36) with boxxyerror fs solid noborder "
                   "fc rgb {} notitle",
                   script.block(ends[0], ends[1]), hex(colour))});
}

}  // namespace

Drawing drawing_of(const figure::Confusion& figure, const Look& look) {
  const auto classes = static_cast<double>(figure.counts.rows());
  constexpr std::size_t most = 20;
  const double names = 7.6 * static_cast<double>(longest_name(figure.frame.classes, most));
  const double side = std::clamp(60 * classes, 220.0, 560.0);
  const bool slanted = names > side / classes - 8;
  const double left = 66 + names, bottom = 84 + (slanted ? 0.75 * names : 0);
  const double top = 24 + title_height(look);
  const double width = std::max(420.0, left + side + 24), height = side + bottom + top;
  Script script(width, height, look);
  script.caption(figure.frame.caption);
  const double edge = classes - 0.5;
  script.plane({"predicted", {-0.5, edge}}, {"true", {-0.5, edge}});
  script.line(
      fmt::format("set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\nset bmargin "
                  "at screen {:.5f}\nset tmargin at screen {:.5f}",
                  left / width, (left + side) / width, bottom / height, 1 - top / height));
  script.line(fmt::format(
      "set yrange [{}:-0.5]\nset xtics ({}) {} scale 0 "
      "noenhanced\nset ytics ({}) scale 0 noenhanced",
      edge, tics_of(figure.frame.classes, most), slanted ? "rotate by -40 left" : "norotate",
      tics_of(figure.frame.classes, most)));
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
  Script script(640, 500, look);
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
  const std::array<std::span<const double>, 3> columns{cells[0], cells[1], cells[2]};
  std::vector<std::string> items{
      fmt::format("{} using 1:2:({:.9g}):({:.9g}):3 with boxxyerror fs solid noborder lc palette "
                  "notitle",
                  script.block(columns), dx, dy)};
  if (figure.best) {
    const Vector x{figure.x[static_cast<std::size_t>(figure.best->second)]};
    const Vector y{figure.y[static_cast<std::size_t>(figure.best->first)]};
    const std::string block = script.block(x, y);
    items.push_back(block + " with points pt 6 ps 2.4 lw 5 lc '#ffffff' notitle");
    items.push_back(block + " with points pt 6 ps 2.4 lw 2.4 lc '#d55e00' notitle");
  }
  script.plot(items);
  return std::move(script).take();
}

Drawing drawing_of(const figure::Features& figure, const Look& look) {
  std::vector<Index> classes;
  constexpr std::size_t most_panels = 24;
  for (Index k = 0; k < std::ssize(figure.evidence) && classes.size() < most_panels; ++k)
    if (!figure.evidence[static_cast<std::size_t>(k)].empty()) classes.push_back(k);
  const std::size_t columns = classes.size() <= 3   ? std::max<std::size_t>(classes.size(), 1)
                              : classes.size() <= 8 ? 4
                                                    : 5;
  const std::size_t lines = (classes.size() + columns - 1) / columns;
  std::size_t longest = 0, bar_lines = 0;
  for (const auto& of_class : figure.evidence) {
    bar_lines = std::max(bar_lines, of_class.size());
    for (const figure::Bar& bar : of_class) longest = std::max(longest, bar.name.size());
  }
  constexpr double line_height = 21;
  const std::size_t name_most = 22;
  const double names = 16 + 7.2 * static_cast<double>(std::min(longest, name_most));
  const double panel_width = names + 130,
               panel_height = 90 + line_height * static_cast<double>(bar_lines);
  std::size_t longest_number = 0;
  for (const figure::Bar& bar : figure.separation)
    longest_number = std::max(longest_number, bar.name.size());
  const double number_names =
      20 + 7.2 * static_cast<double>(std::min<std::size_t>(longest_number, 30));
  const double numbers_height =
      figure.separation.empty() ? 0
                                : 76 + line_height * static_cast<double>(figure.separation.size());
  const double width =
      std::max(figure.separation.empty() ? 300.0 : 640.0,
               panel_width * static_cast<double>(classes.empty() ? 0 : columns) + 10);
  const double caption_height = figure.frame.caption.empty() ? 0 : 26;
  const double above = title_height(look);
  const double height =
      above + numbers_height + panel_height * static_cast<double>(lines) + caption_height;
  Script script(width, height, look);
  script.caption(figure.frame.caption);
  script.multiplot(look);
  const auto place = [&](double left, double right, double top, double bottom) {
    script.line(
        fmt::format("set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\nset "
                    "tmargin at screen {:.5f}\nset bmargin at screen {:.5f}",
                    left / width, right / width, 1 - top / height, 1 - bottom / height));
  };
  script.line("set border 3 lc '#888888'");
  if (!figure.separation.empty()) {
    place(number_names, width - 20, 14 + above, numbers_height + above - 46);
    script.line("set xlabel 'share of the variance that is between the classes' font ',13'");
    bars(script, figure.separation, Colour{0.35, 0.4, 0.45}, 30);
    script.line("unset label");
  }
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const double left = panel_width * static_cast<double>(i % columns);
    const double top = above + numbers_height + panel_height * static_cast<double>(i / columns);
    place(left + names, left + panel_width - 16, top + 28, top + panel_height - 54);
    const auto k = static_cast<std::size_t>(classes[i]);
    script.line(
        fmt::format("set title {} noenhanced font ',14' offset 0,-0.7 tc rgb {}\nset xlabel "
                    "'log odds' font ',11'\nset xtics font ',10'",
                    quoted(figure.frame.classes[k], 24), hex(colour_of(classes[i]))));
    bars(script, figure.evidence[k], colour_of(classes[i]), name_most);
    script.line("unset label");
  }
  return std::move(script).take();
}

}  // namespace genera::cli
