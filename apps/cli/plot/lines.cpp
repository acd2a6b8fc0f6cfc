#include "plot/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

namespace genera::cli {
namespace {

double highest_of(const Vector& values) {
  return values.empty() ? 1 : *std::ranges::max_element(values);
}

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

/// One class has the whole density; two or more have the mixture on top of them.
void add_density(Script& script, const figure::Line& figure, std::vector<std::string>& items) {
  add_area(script, figure, items);
  for (const figure::Part& part : figure.parts)
    items.push_back(fmt::format("{} with lines lw 1.2 dt (6,3) lc {} notitle",
                                script.block({figure.x, part.density}),
                                hex(colour_of(part.of_class))));
  const bool several = figure.frame.classes.size() > 1;
  add_class_lines(script, figure, figure.joint, several || figure.area, items);
  if (!figure.parts.empty())
    items.push_back(key_entry("with lines lw 1.2 dt (6,3) lc '#444444'", "component"));
  if (!several) return;
  items.push_back(fmt::format("{} with lines lw 1.6 lc '#000000' title 'all together'",
                              script.block({figure.x, figure.density})));
}

/// Bars of each class in its colour, and the outline of all rows.
void add_bars(Script& script, const figure::Line& figure,
              const std::optional<figure::Histogram>& histogram, const char* title,
              std::vector<std::string>& items) {
  if (!histogram || histogram->density.empty()) return;
  Vector middles, widths, x, y;
  const Vector& edges = histogram->edges;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    middles.push_back((edges[i] + edges[i + 1]) / 2);
    widths.push_back(edges[i + 1] - edges[i]);
    for (const double edge : {edges[i], edges[i + 1]}) {
      x.push_back(edge);
      y.push_back(histogram->density[i]);
    }
  }
  const bool labelled = std::ranges::any_of(figure.frame.classes, [&](const std::string& name) {
    return highest_of(column_of(histogram->joint, &name - figure.frame.classes.data())) > 0;
  });
  const auto boxes = [&](const Vector& heights, const Colour& colour, double opacity) {
    items.push_back(
        fmt::format("{} using 1:2:3 with boxes fs transparent solid {} noborder fc {} notitle",
                    script.block({middles, heights, widths}), opacity, hex(colour)));
  };
  if (!labelled) boxes(histogram->density, {0.5, 0.5, 0.5}, 0.35);
  for (Index k = 0; labelled && k < histogram->joint.columns(); ++k)
    boxes(column_of(histogram->joint, k), colour_of(k), 0.3);
  x.insert(x.begin(), edges.front());
  y.insert(y.begin(), 0);
  x.push_back(edges.back());
  y.push_back(0);
  items.push_back(fmt::format("{} with lines lw 0.8 lc '#777777' notitle", script.block({x, y})));
  items.push_back(key_entry("with lines lw 0.8 lc '#777777'", title));
}

void add_class_keys(const figure::Line& figure, std::vector<std::string>& items) {
  for (std::size_t k = 0; figure.frame.classes.size() > 1 && k < figure.frame.classes.size(); ++k)
    items.push_back(key_entry(fmt::format("with boxes fs transparent solid 0.3 noborder fc {}",
                                          hex(colour_of(static_cast<Index>(k)))),
                              figure.frame.classes[k]));
}

/// Ticks on the x-axis at misclassified rows.
void add_wrong(Script& script, const figure::Points& points, double height,
               std::vector<std::string>& items) {
  Vector x;
  for (Index i = 0; i < points.count(); ++i)
    if (points.wrong(i)) x.push_back(points.at[0][static_cast<std::size_t>(i)]);
  if (x.empty()) return;
  const Vector nought(x.size()), up(x.size(), 0.05 * height);
  const std::string title = fmt::format("misclassified ({})", x.size());
  items.push_back(fmt::format("{} with vectors nohead lw 1.2 lc '#000000' notitle",
                              script.block({x, nought, nought, up})));
  items.push_back(key_entry("with points pt '|' ps 0.8 lc '#000000'", title));
}

/// The decision regions as pale stripes behind the panel.
void add_stripes(Script& script, const figure::Line& figure) {
  const figure::Range& range = figure.frame.axes[0].range;
  Vector ends{range.low};
  ends.insert(ends.end(), figure.boundaries.begin(), figure.boundaries.end());
  ends.push_back(range.high);
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    const double middle = (ends[i] + ends[i + 1]) / 2;
    const auto above = std::ranges::lower_bound(figure.x, middle);
    const auto place = std::min<Index>(above - figure.x.begin(), figure.posterior.rows() - 1);
    const std::span<const double> row = figure.posterior.row(place);
    const Index k = std::ranges::max_element(row) - row.begin();
    script.line(
        fmt::format("set object {} rectangle from {:.12g}, graph 0 to {:.12g}, graph 1 "
                    "behind fc rgb {} fs solid noborder",
                    i + 1, ends[i], ends[i + 1], hex(mixed(Colour{1, 1, 1}, colour_of(k), 0.13))));
  }
}

double height_of(const figure::Line& figure) {
  double height = figure.density.empty() ? 0 : highest_of(figure.density);
  for (const auto& histogram : {figure.histogram, figure.predicted, figure.drawn})
    if (histogram && !histogram->density.empty())
      height = std::max(height, highest_of(histogram->density));
  return 1.06 * (height > 0 ? height : 1);
}

void mark_changes(Script& script, const figure::Line& figure) {
  for (const double x : figure.boundaries)
    script.line(
        fmt::format("set arrow from {:.12g}, graph 0 to {:.12g}, graph 1 nohead lc "
                    "'#888888' dt '.' lw 1",
                    x, x));
}

/// One class has no legend, and its name would head the keys of other things.
std::string title_of(const figure::Line& figure) {
  return figure.frame.classes.size() > 1 ? figure.frame.target : "";
}

/// Two panels over each other with one x-axis.
class TwoPanels {
 public:
  TwoPanels(const figure::Line& figure, const Look& look)
      : figure_(figure), height_(620 + title_height(look)), script_(720, height_, look) {
    bottom_ = 0.11;
    if (!figure.frame.caption.empty()) bottom_ = script_.caption(figure.frame.caption);
    script_.multiplot(look);
    script_.line("set lmargin at screen 0.11\nset rmargin at screen 0.74");
    middle_ = 0.5 + bottom_ / 2 - 0.03;
    top_ = 1 - (14 + title_height(look)) / height_;
  }
  void upper(const char* name, double max) {
    script_.line(fmt::format("set tmargin at screen {:.4f}\nset bmargin at screen {:.4f}", top_,
                             middle_ + 0.025));
    script_.plane(figure_.frame.axes[0], {name, {0, max}});
    script_.line("unset xlabel\nset format x ''");
    script_.legend(title_of(figure_), figure_.frame.classes.size());
  }
  void lower(const char* name, double max) {
    script_.line("unset key\nunset label");
    script_.line(fmt::format("set tmargin at screen {:.4f}\nset bmargin at screen {:.4f}",
                             middle_ - 0.025, bottom_));
    script_.plane(figure_.frame.axes[0], {name, {0, max}});
  }
  Script& script() { return script_; }

 private:
  const figure::Line& figure_;
  double height_, bottom_ = 0, middle_ = 0, top_ = 1;
  Script script_;
};

enum class Rows { by_class, by_prediction };

Drawing with_posterior(const figure::Line& figure, const Look& look, bool regions, Rows rows) {
  const bool above = !figure.density.empty() || figure.histogram;
  const double max = height_of(figure);
  const auto& histogram = rows == Rows::by_class ? figure.histogram : figure.predicted;
  const auto posterior = [&](Script& script, bool titled) {
    std::vector<std::string> items;
    add_class_lines(script, figure, figure.posterior, titled, items);
    script.plot(items);
  };
  if (!above) {
    Script script(720, 400, look);
    script.caption(figure.frame.caption);
    if (regions) add_stripes(script, figure);
    mark_changes(script, figure);
    script.plane(figure.frame.axes[0], {"posterior", {0, 1.02}});
    script.legend(title_of(figure), figure.frame.classes.size());
    posterior(script, true);
    return std::move(script).take();
  }
  TwoPanels panels(figure, look);
  Script& script = panels.script();
  if (regions) add_stripes(script, figure);
  mark_changes(script, figure);
  panels.upper(figure.density.empty() ? "density" : "prior × density", max);
  std::vector<std::string> items;
  add_bars(script, figure, histogram, rows == Rows::by_class ? "data" : "by prediction", items);
  if (figure.density.empty())
    add_class_keys(figure, items);
  else
    add_density(script, figure, items);
  if (regions || rows == Rows::by_prediction) add_wrong(script, figure.points, max, items);
  script.plot(items);
  panels.lower("posterior", 1.02);
  posterior(script, false);
  return std::move(script).take();
}

Drawing density_drawing(const figure::Line& figure, const Look& look, const char* bars) {
  Script script(720, 440, look);
  script.caption(figure.frame.caption);
  const bool rows = figure.density.empty();
  script.plane(figure.frame.axes[0], {"density", {0, height_of(figure)}});
  script.legend(title_of(figure), figure.frame.classes.size());
  std::vector<std::string> items;
  add_bars(script, figure, figure.histogram, bars, items);
  if (rows)
    add_class_keys(figure, items);
  else
    add_density(script, figure, items);
  script.plot(items);
  return std::move(script).take();
}

}  // namespace

Drawing drawing_of(const figure::Line& figure, const Look& look) {
  return density_drawing(figure, look, "data");
}

Drawing posterior_drawing(const figure::Line& figure, const Look& look) {
  return with_posterior(figure, look, false, Rows::by_class);
}

Drawing line_regions_drawing(const figure::Line& figure, const Look& look) {
  return with_posterior(figure, look, true, Rows::by_class);
}

Drawing line_predictions_drawing(const figure::Line& figure, const Look& look) {
  return with_posterior(figure, look, false, Rows::by_prediction);
}

Drawing line_samples_drawing(const figure::Line& figure, const Look& look) {
  const double max = height_of(figure);
  const std::string drawn = fmt::format("{} rows drawn", figure.draws);
  if (!figure.histogram) {
    figure::Line alone = figure;
    alone.histogram = figure.drawn;
    return density_drawing(alone, look, drawn.c_str());
  }
  TwoPanels panels(figure, look);
  Script& script = panels.script();
  panels.upper("density, data", max);
  std::vector<std::string> items;
  add_bars(script, figure, figure.histogram, "rows", items);
  add_density(script, figure, items);
  script.plot(items);
  items.clear();
  panels.lower(fmt::format("density, {}", drawn).c_str(), max);
  add_bars(script, figure, figure.drawn, drawn.c_str(), items);
  add_density(script, figure, items);
  script.plot(items);
  return std::move(script).take();
}

}  // namespace genera::cli
