#include "plot/text.hpp"

#include "plot/drawing.hpp"
#include "show/printable.hpp"
#include "show/text_table.hpp"

#include <genera/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace genera::cli {
namespace {

constexpr Index text_columns = 68, text_rows = 22;

/// The letter of class k: lower case for regions, upper case for points.
char letter(Index k) { return k < 0 ? '?' : static_cast<char>('a' + k % 26); }
char capital(Index k) { return k < 0 ? '?' : static_cast<char>('A' + k % 26); }

/// A plane of characters.
class TextPlane {
 public:
  TextPlane(figure::Axis x, figure::Axis y, Index height = text_rows)
      : x_(std::move(x)),
        y_(std::move(y)),
        lines_(static_cast<std::size_t>(height), std::string(text_columns, ' ')) {}

  void put(double x, double y, char c) {
    const double column = (x - x_.range.low) / (x_.range.high - x_.range.low) * text_columns;
    const double row = (y - y_.range.low) / (y_.range.high - y_.range.low) * height();
    if (!(column >= 0 && column <= text_columns && row >= 0 && row <= height())) return;
    const auto i = std::min<std::size_t>(static_cast<std::size_t>(column), text_columns - 1);
    const auto j = std::min<std::size_t>(static_cast<std::size_t>(row), lines_.size() - 1);
    lines_[lines_.size() - 1 - j][i] = c;
  }

  /// Sets each character to at(x, y) of its centre; both from 0 to 1.
  template <class At>
  void fill(At at) {
    for (std::size_t j = 0; j < lines_.size(); ++j) {
      for (Index i = 0; i < text_columns; ++i) {
        const double x = (static_cast<double>(i) + 0.5) / text_columns;
        const double y = (static_cast<double>(j) + 0.5) / height();
        lines_[lines_.size() - 1 - j][static_cast<std::size_t>(i)] = at(x, y);
      }
    }
  }

  void points(const figure::Points& points, const std::vector<std::int32_t>& classes) {
    for (Index i = 0; i < points.count(); ++i) {
      const auto p = static_cast<std::size_t>(i);
      put(points.at[0][p], points.at[1][p], classes.empty() ? 'o' : capital(classes[p]));
    }
    for (Index i = 0; i < points.count(); ++i) {
      const auto p = static_cast<std::size_t>(i);
      if (points.wrong(i)) put(points.at[0][p], points.at[1][p], '!');
    }
  }

  /// A piecewise linear curve.
  void curve(const Vector& x, const Vector& y, char c) {
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      constexpr int pieces = 40;
      for (int p = 0; p <= pieces; ++p) {
        const double part = static_cast<double>(p) / pieces;
        put(x[i] + part * (x[i + 1] - x[i]), y[i] + part * (y[i + 1] - y[i]), c);
      }
    }
  }

  [[nodiscard]] std::string text() const {
    std::string all = cut(y_.name, 60) + '\n';
    for (std::size_t j = 0; j < lines_.size(); ++j) {
      const bool end = j == 0 || j + 1 == lines_.size();
      const double value = j == 0 ? y_.range.high : y_.range.low;
      all += fmt::format("{:>9} |{}|\n", end ? fmt::format("{:.4g}", value) : "", lines_[j]);
    }
    all += fmt::format("{:>9} +{}+\n", "", std::string(text_columns, '-'));
    const std::string low = fmt::format("{:.4g}", x_.range.low);
    const std::string high = fmt::format("{:.4g}", x_.range.high);
    const std::string name = cut(x_.name, 40);
    return all + fmt::format("{:>10}{}{:^{}}{}\n", "", low, name,
                             static_cast<int>(text_columns + 2 - low.size() - high.size() +
                                              (name.size() - places(name))),
                             high);
  }

 private:
  static std::size_t places(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
      return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
  }
  [[nodiscard]] double height() const { return static_cast<double>(lines_.size()); }

  figure::Axis x_, y_;
  std::vector<std::string> lines_;
};

std::string legend_of(const figure::Frame& frame, const std::string& more = {}) {
  std::string text;
  for (Index k = 0; k < std::ssize(frame.classes); ++k)
    text += fmt::format("{}{} {}", k > 0 ? "   " : "", capital(k),
                        cut(frame.classes[static_cast<std::size_t>(k)], 30));
  text += (text.empty() || more.empty() ? "" : "   ") + more;
  if (!text.empty()) text += '\n';
  for (const std::string& sentence : frame.caption) text += printable(sentence) + '\n';
  return text;
}

figure::Frame without_classes(figure::Frame frame) {
  frame.classes.clear();
  return frame;
}

std::string wrong_words(const figure::Points& points) {
  return points.wrong() > 0 ? fmt::format("! misclassified ({})", points.wrong()) : std::string();
}

Index cell_at(const figure::Grid& grid, double x, double y) {
  const auto place = [](double part, std::size_t count) {
    return std::min(static_cast<Index>(part * static_cast<double>(count)),
                    static_cast<Index>(count) - 1);
  };
  return place(y, grid.y.size()) * std::ssize(grid.x) + place(x, grid.x.size());
}

figure::Range up_to(const Matrix& values) {
  double max = 0;
  for (Index i = 0; i < values.rows(); ++i)
    for (const double value : values.row(i)) max = std::max(max, value);
  return {0, max > 0 ? 1.02 * max : 1};
}

void class_curves(TextPlane& plane, const Vector& x, const Matrix& values) {
  for (Index k = 0; k < values.columns(); ++k) {
    plane.curve(x, column_of(values, k), capital(k));
  }
}

std::string bars_text(const std::vector<figure::Bar>& bars) {
  double max = 0;
  for (const figure::Bar& bar : bars) max = std::max(max, std::abs(bar.value));
  std::string text;
  for (const figure::Bar& bar : bars) {
    const auto length =
        static_cast<std::size_t>(std::lround(max > 0 ? 40 * std::abs(bar.value) / max : 0));
    text += fmt::format("  {:<26} {:>9} {}\n", cut(bar.name, 26), fmt::format("{:.3f}", bar.value),
                        std::string(length, bar.value < 0 ? '-' : '#'));
  }
  return text;
}

[[noreturn]] void refuse_text(const std::string& kind) {
  throw Error(Errc::bad_argument, "a terminal is too coarse for " + kind,
              "draw it with -o figure.svg");
}

}  // namespace

std::string text_of(const figure::Scatter& figure) {
  TextPlane plane(figure.frame.axes[0], figure.frame.axes[1]);
  plane.points(figure.points, figure.points.classes);
  return plane.text() + legend_of(figure.frame);
}

std::string text_of(const figure::Regions& figure) {
  constexpr double sure = 0.8;
  TextPlane plane(figure.frame.axes[0], figure.frame.axes[1]);
  plane.fill([&](double x, double y) {
    const Index cell = cell_at(figure.grid, x, y);
    const std::int32_t k = figure.labels[static_cast<std::size_t>(cell)];
    return figure.posterior(cell, k) < sure ? '.' : letter(k);
  });
  plane.points(figure.points, figure.points.classes);
  return plane.text() +
         legend_of(figure.frame, std::string("small letters: regions   . below 0.8") +
                                     (figure.points.wrong() > 0 ? "   " : "") +
                                     wrong_words(figure.points));
}

std::string predictions_text(const figure::Regions& figure) {
  TextPlane plane(figure.frame.axes[0], figure.frame.axes[1]);
  plane.points(figure.points, figure.points.predictions);
  return plane.text() + legend_of(figure.frame, wrong_words(figure.points));
}

std::string text_of(const figure::Density& figure) {
  constexpr std::string_view shades = " .:-=+*#%@";
  const double max = *std::ranges::max_element(figure.density);
  TextPlane plane(figure.frame.axes[0], figure.frame.axes[1]);
  plane.fill([&](double x, double y) {
    const double p = figure.density[static_cast<std::size_t>(cell_at(figure.grid, x, y))];
    const auto shade = static_cast<std::size_t>(max > 0 ? 9.999 * std::sqrt(p / max) : 0);
    return shades[std::min(shade, shades.size() - 1)];
  });
  return plane.text() + legend_of(without_classes(figure.frame),
                                  "p(x): the denser the darker, " + std::string(shades));
}

namespace {

/// Bars of '|' below the curves.
void bars(TextPlane& plane, const std::optional<figure::Histogram>& histogram) {
  if (!histogram) return;
  constexpr int pieces = 400;
  const double highest =
      histogram->density.empty() ? 0 : *std::ranges::max_element(histogram->density);
  for (std::size_t i = 0; i < histogram->density.size(); ++i) {
    const double middle = (histogram->edges[i] + histogram->edges[i + 1]) / 2;
    for (int p = 0; p <= pieces; ++p) {
      const double y = highest * p / pieces;
      if (y < histogram->density[i]) plane.put(middle, y, '|');
    }
  }
}

figure::Range heights(const figure::Line& figure,
                      const std::vector<const std::optional<figure::Histogram>*>& histograms) {
  figure::Range range = up_to(Matrix(std::ssize(figure.density), 1, figure.density));
  if (figure.density.empty()) range.high = 0;
  for (const auto* histogram : histograms)
    if (*histogram && !(*histogram)->density.empty())
      range.high = std::max(range.high, 1.02 * *std::ranges::max_element((*histogram)->density));
  if (!(range.high > 0)) range.high = 1;
  return range;
}

std::string density_text(const figure::Line& figure,
                         const std::optional<figure::Histogram>& histogram,
                         const figure::Range& range, const char* name, Index height) {
  TextPlane plane(figure.frame.axes[0], {name, range}, height);
  bars(plane, histogram);
  if (!figure.density.empty()) plane.curve(figure.x, figure.density, '.');
  class_curves(plane, figure.x, figure.joint);
  return plane.text();
}

const char* bars_key(const std::optional<figure::Histogram>& histogram) {
  return histogram ? "   | data" : "";
}

std::string posteriors_text(const figure::Line& figure,
                            const std::optional<figure::Histogram>& histogram) {
  std::string text;
  if (!figure.density.empty() || histogram) {
    const char* name = figure.density.empty() ? "density" : "prior x density";
    text = density_text(figure, histogram, heights(figure, {&histogram}), name, 12);
  }
  TextPlane below(figure.frame.axes[0], {"posterior", {0, 1}}, 12);
  class_curves(below, figure.x, figure.posterior);
  return text + below.text();
}

std::string boundaries_text(const figure::Line& figure) {
  std::string text;
  for (const double x : figure.boundaries) text += fmt::format("boundary at {:.6g}\n", x);
  return text;
}

}  // namespace

std::string text_of(const figure::Line& figure) {
  std::string area;
  if (figure.area)
    area = fmt::format("P({:g} <= x <= {:g}) = {:.4f}\n", figure.area->between.low,
                       figure.area->between.high, figure.area->probability);
  const bool rows = figure.density.empty();
  return density_text(figure, figure.histogram, heights(figure, {&figure.histogram}), "density",
                      text_rows) +
         (rows ? legend_of(without_classes(figure.frame), "| data")
               : legend_of(figure.frame,
                           std::string(". all together") + bars_key(figure.histogram))) +
         area;
}

std::string posterior_text(const figure::Line& figure) {
  return posteriors_text(figure, figure.histogram) +
         legend_of(figure.frame, figure.histogram ? ". all together   | data" : "") +
         boundaries_text(figure);
}

std::string line_predictions_text(const figure::Line& figure) {
  const std::string wrong = wrong_words(figure.points);
  return posteriors_text(figure, figure.histogram) +
         legend_of(figure.frame, wrong.empty() ? ". all together   | data" : wrong.substr(2)) +
         boundaries_text(figure);
}

std::string line_samples_text(const figure::Line& figure) {
  const figure::Range range = heights(figure, {&figure.histogram, &figure.drawn});
  std::string text;
  if (figure.histogram) text = density_text(figure, figure.histogram, range, "density, data", 16);
  text += density_text(figure, figure.drawn, range,
                       fmt::format("density, {} rows drawn", figure.draws).c_str(), 16);
  return text + legend_of(figure.frame, ". all together   | rows");
}

std::string text_of(const figure::Samples& figure) {
  std::string text;
  for (const bool data : {true, false}) {
    TextPlane plane(figure.frame.axes[0], figure.frame.axes[1], 16);
    const figure::Points& points = data ? figure.data : figure.drawn;
    if (data && points.at.empty()) continue;
    plane.points(points, points.classes);
    text += (data ? "data\n" : "drawn from the model\n") + plane.text();
  }
  return text + legend_of(figure.frame);
}

std::string text_of(const figure::Canonical& figure) {
  return figure.line ? posterior_text(*figure.line) : text_of(figure.regions);
}

std::string text_of(const figure::Confusion& figure) {
  const std::vector<std::string>& classes = figure.frame.classes;
  std::vector<std::vector<std::string>> cells{{"truth \\ prediction"}};
  cells[0].insert(cells[0].end(), classes.begin(), classes.end());
  for (std::size_t k = 0; k < classes.size(); ++k) {
    cells.push_back({classes[k]});
    for (const double count : figure.counts.row(static_cast<Index>(k)))
      cells.back().push_back(count > 0 ? fmt::format("{:g}", count) : ".");
  }
  return text_table(cells) + legend_of(without_classes(figure.frame));
}

std::string text_of(const figure::Reliability& figure) {
  TextPlane plane({figure.frame.axes[0].name, {0, 1}}, {figure.frame.axes[1].name, {0, 1}});
  plane.curve({0, 1}, {0, 1}, '.');
  for (const ReliabilityBin& bin : figure.bins) plane.put(bin.confidence, bin.accuracy, 'o');
  return plane.text() + legend_of(without_classes(figure.frame));
}

std::string text_of(const figure::Roc& figure) {
  TextPlane plane({figure.frame.axes[0].name, {0, 1}}, {figure.frame.axes[1].name, {0, 1}});
  plane.curve({0, 1}, {0, 1}, '.');
  std::string areas;
  for (const figure::RocCurve& curve : figure.curves) {
    plane.curve(curve.x, curve.y, capital(curve.of_class));
    areas += fmt::format("{} {}: AUC {:.4f}\n", capital(curve.of_class), cut(curve.name, 30),
                         curve.area);
  }
  return plane.text() + areas + legend_of(without_classes(figure.frame));
}

std::string text_of(const figure::Trends& figure) {
  figure::Range x{1e300, -1e300}, y = x;
  const auto place = [&](double value) { return figure.log_x ? std::log10(value) : value; };
  const auto height = [&](double value) { return figure.log_y ? std::log10(value) : value; };
  for (const figure::Trend& trend : figure.trends) {
    for (std::size_t i = 0; i < trend.x.size(); ++i) {
      if (!std::isfinite(trend.y[i])) continue;
      x = {std::min(x.low, place(trend.x[i])), std::max(x.high, place(trend.x[i]))};
      y = {std::min(y.low, height(trend.y[i])), std::max(y.high, height(trend.y[i]))};
    }
  }
  if (!(x.low < x.high)) x = {x.low - 1, x.low + 1};
  if (!(y.low < y.high)) y = {y.low - 1, y.low + 1};
  TextPlane plane({figure.frame.axes[0].name + (figure.log_x ? " (log10)" : ""), x},
                  {figure.frame.axes[1].name + (figure.log_y ? " (log10)" : ""), y});
  figure::Frame frame = figure.frame;
  for (std::size_t t = 0; t < figure.trends.size(); ++t) {
    Vector at, up;
    for (const double value : figure.trends[t].x) at.push_back(place(value));
    for (const double value : figure.trends[t].y) up.push_back(height(value));
    plane.curve(at, up, '.');
  }
  for (std::size_t t = 0; t < figure.trends.size(); ++t) {
    const figure::Trend& trend = figure.trends[t];
    for (std::size_t i = 0; i < trend.x.size(); ++i)
      plane.put(place(trend.x[i]), height(trend.y[i]), capital(static_cast<Index>(t)));
    frame.classes.push_back(trend.name);
  }
  std::string chosen;
  if (figure.best) {
    const figure::Trend& trend = figure.trends[figure.best->first];
    chosen = fmt::format("chosen: {} at {:g}", printable(trend.name), trend.x[figure.best->second]);
  }
  return plane.text() + legend_of(frame, chosen);
}

std::string text_of(const figure::HeatMap& figure) {
  std::vector<std::vector<std::string>> cells{{"gamma \\ alpha"}};
  for (const double x : figure.x) cells[0].push_back(fmt::format("{:g}", x));
  for (Index j = figure.values.rows() - 1; j >= 0; --j) {
    cells.push_back({fmt::format("{:g}", figure.y[static_cast<std::size_t>(j)])});
    for (Index i = 0; i < figure.values.columns(); ++i) {
      const bool best = figure.best && figure.best->first == j && figure.best->second == i;
      const double value = figure.values(j, i);
      cells.back().push_back(std::isfinite(value) ? fmt::format("{}{:.3f}", best ? "*" : "", value)
                                                  : std::string("-"));
    }
  }
  return printable(figure.value_name) + '\n' + text_table(cells) + legend_of(figure.frame);
}

std::string text_of(const figure::Features& figure) {
  std::string text;
  if (!figure.separation.empty())
    text += "share of the variance that is between the classes\n" + bars_text(figure.separation);
  for (std::size_t k = 0; k < figure.evidence.size(); ++k) {
    if (figure.evidence[k].empty()) continue;
    text += fmt::format("log odds for {}\n{}", cut(figure.frame.classes[k], 40),
                        bars_text(figure.evidence[k]));
  }
  return text +
         (figure.frame.caption.empty() ? std::string() : legend_of(without_classes(figure.frame)));
}

std::string text_of(const figure::Pairs&) { refuse_text("all pairs of features"); }
std::string text_of(const figure::Solid&) { refuse_text("three dimensions"); }

}  // namespace genera::cli
