#include "plot/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace genera::cli {
namespace {

/// A line for each class.
void add_class_lines(Script& script, const figure::Line& figure, const Matrix& values, bool titled,
                     std::vector<std::string>& items) {
  for (Index k = 0; k < values.columns(); ++k) {
    items.push_back(fmt::format(
        "{} with lines lw 2.2 dt {} lc {} {}", script.block({figure.x, column_of(values, k)}),
        dash_of(k), hex(colour_of(k)),
        titled ? "title " + quoted(figure.frame.classes[static_cast<std::size_t>(k)], 22)
               : std::string("notitle")));
  }
}

void add_area(Script& script, const figure::Line& figure, std::vector<std::string>& items) {
  if (!figure.area) return;
  Vector x, y;
  for (std::size_t i = 0; i < figure.x.size(); ++i) {
    if (figure.x[i] < figure.area->between.low || figure.x[i] > figure.area->between.high) continue;
    x.push_back(figure.x[i]);
    y.push_back(figure.density[i]);
  }
  items.push_back(
      fmt::format("{} with filledcurves y=0 fc '#cfe3f2' title {}", script.block({x, y}),
                  quoted(fmt::format("P({:g} ≤ x ≤ {:g}) = {:.4f}", figure.area->between.low,
                                     figure.area->between.high, figure.area->probability),
                         60)));
}

void add_density(Script& script, const figure::Line& figure, std::vector<std::string>& items) {
  add_area(script, figure, items);
  const bool several = figure.frame.classes.size() > 1;
  if (several)
    items.push_back(fmt::format("{} with lines lw 3.5 lc '#bbbbbb' notitle",
                                script.block({figure.x, figure.density})));
  add_class_lines(script, figure, figure.joint, true, items);
  if (several) items.push_back(key_entry("with lines lw 3.5 lc '#bbbbbb'", "all together"));
}

void mark_changes(Script& script, const figure::Line& figure) {
  for (const double x : figure.boundaries)
    script.line(
        fmt::format("set arrow from {:.12g}, graph 0 to {:.12g}, graph 1 nohead lc "
                    "'#888888' dt '.' lw 1",
                    x, x));
}

double highest_of(const Vector& values) {
  return values.empty() ? 1 : *std::ranges::max_element(values);
}

}  // namespace

Drawing drawing_of(const figure::Line& figure, const Look& look) {
  Script script(720, 440, look);
  script.caption(figure.frame.caption);
  script.plane(figure.frame.axes[0], {"density", {0, 1.06 * highest_of(figure.density)}});
  script.legend(figure.frame.target, figure.frame.classes.size());
  std::vector<std::string> items;
  add_density(script, figure, items);
  script.plot(items);
  return std::move(script).take();
}

Drawing posterior_drawing(const figure::Line& figure, const Look& look) {
  const bool both = !figure.density.empty();
  const double height = (both ? 620 : 400) + title_height(look);
  Script script(720, height, look);
  script.caption(figure.frame.caption);
  const double bottom = figure.frame.caption.empty() ? 0.11 : 0.15;
  if (both) script.multiplot(look);
  mark_changes(script, figure);
  std::vector<std::string> items;
  script.line("set lmargin at screen 0.11\nset rmargin at screen 0.74");
  if (both) {
    script.line(fmt::format("set tmargin at screen {:.4f}\nset bmargin at screen 0.56",
                            1 - (14 + title_height(look)) / height));
    script.plane(figure.frame.axes[0], {"prior × density", {0, 1.06 * highest_of(figure.density)}});
    script.line("unset xlabel\nset format x ''");
    script.legend(figure.frame.target, figure.frame.classes.size());
    add_density(script, figure, items);
    script.plot(items);
    items.clear();
    script.line("unset key\nunset label");
    script.line(fmt::format("set tmargin at screen 0.51\nset bmargin at screen {:.3f}", bottom));
  } else {
    script.legend(figure.frame.target, figure.frame.classes.size());
  }
  script.plane(figure.frame.axes[0], {"posterior", {0, 1.02}});
  add_class_lines(script, figure, figure.posterior, !both, items);
  script.plot(items);
  return std::move(script).take();
}

}  // namespace genera::cli
