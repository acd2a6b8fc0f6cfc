#include "plot/plane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace genera::cli {
namespace {

constexpr double square_width = 640, square_height = 500;
constexpr const char* diagonal_line = "with lines lw 1 dt (4,4) lc '#888888' notitle";

constexpr const char* guide_line = "with lines lw 1.2 dt (2,3) lc '#666666'";

std::string diagonal(Script& script, double from) {
  return script.block({Vector{from, 1}, Vector{from, 1}}) + " " + diagonal_line;
}

void add_trend(Script& script, const figure::Trend& trend, Index place,
               std::vector<std::string>& items) {
  std::array<Vector, 4> good;
  std::array<Vector, 2> bad;
  for (std::size_t i = 0; i < trend.x.size(); ++i) {
    if (!std::isfinite(trend.y[i])) continue;
    if (!trend.usable.empty() && trend.usable[i] == 0) {
      bad[0].push_back(trend.x[i]);
      bad[1].push_back(trend.y[i]);
      continue;
    }
    good[0].push_back(trend.x[i]);
    good[1].push_back(trend.y[i]);
    const double error = trend.error.empty() ? 0 : trend.error[i];
    good[2].push_back(trend.low.empty() ? trend.y[i] - error : trend.low[i]);
    good[3].push_back(trend.high.empty() ? trend.y[i] + error : trend.high[i]);
  }
  const std::string block = script.block({good[0], good[1], good[2], good[3]});
  const std::string colour = hex(colour_of(place));
  items.push_back(fmt::format("{} with lines lw 2 {} lc {} notitle", block,
                              trend.solid ? "dt 1" : "dt (8,4)", colour));
  if (!trend.error.empty() || !trend.low.empty())
    items.push_back(fmt::format("{} with yerrorbars pt 0 lw 1.2 lc {} notitle", block, colour));
  items.push_back(
      fmt::format("{} with points pt {} ps 1 lc {} notitle", block, shape_of(place), colour));
  if (!bad[0].empty())
    items.push_back(fmt::format("{} with points pt 2 ps 0.8 lc {} notitle",
                                script.block({bad[0], bad[1]}), colour));
}

figure::Range spread(const figure::Trends& figure, bool of_x) {
  figure::Range range{1e300, -1e300};
  for (const figure::Trend& trend : figure.trends) {
    for (std::size_t i = 0; i < trend.x.size(); ++i) {
      const double value = of_x ? trend.x[i] : trend.y[i];
      const double error = of_x || trend.error.empty() ? 0 : trend.error[i];
      if (!std::isfinite(value + error)) continue;
      const bool interval = !of_x && !trend.low.empty();
      range.low = std::min(range.low, interval ? trend.low[i] : value - error);
      range.high = std::max(range.high, interval ? trend.high[i] : value + error);
    }
  }
  if (!(range.low < range.high)) range = {range.low - 1, range.low + 1};
  return range;
}

}  // namespace

Drawing drawing_of(const figure::Reliability& figure, const Look& look) {
  Script script(square_width, square_height, look);
  script.caption(figure.frame.caption);
  const double min =
      std::min(1 / static_cast<double>(std::max<std::size_t>(figure.frame.classes.size(), 1)),
               figure.bins.empty() ? 0 : figure.bins.front().low);
  script.plane({figure.frame.axes[0].name, {min - 0.02, 1.02}},
               {figure.frame.axes[1].name, {-0.03, 1.04}});
  std::array<Vector, 3> dots;
  std::vector<figure::Curve> gaps;
  double max = 1;
  for (const ReliabilityBin& bin : figure.bins) max = std::max(max, static_cast<double>(bin.rows));
  for (const ReliabilityBin& bin : figure.bins) {
    dots[0].push_back(bin.confidence);
    dots[1].push_back(bin.accuracy);
    dots[2].push_back(0.7 + 2.8 * std::sqrt(static_cast<double>(bin.rows) / max));
    gaps.push_back({{bin.confidence, bin.confidence}, {bin.confidence, bin.accuracy}});
  }
  const std::string block = script.block({dots[0], dots[1], dots[2]});
  script.plot({diagonal(script, 0),
               fmt::format("{} with lines lw 4 lc '#f0c3a5' notitle", script.curves(gaps)),
               fmt::format("{} with lines lw 1.2 lc {} notitle", block, hex(colour_of(0))),
               fmt::format("{} using 1:2:3 with points pt 7 ps variable lc {} notitle", block,
                           hex(colour_of(0)))});
  return std::move(script).take();
}

Drawing drawing_of(const figure::Roc& figure, const Look& look) {
  Script script(760, 500, look);
  script.caption(figure.frame.caption);
  script.plane({figure.frame.axes[0].name, {-0.01, 1.01}},
               {figure.frame.axes[1].name, {-0.01, 1.01}});
  script.legend(figure.frame.target, figure.curves.size());
  std::vector<std::string> items{diagonal(script, 0)};
  for (const figure::RocCurve& curve : figure.curves)
    items.push_back(fmt::format(
        "{} with lines lw 2 dt {} lc {} title {}", script.block({curve.x, curve.y}),
        dash_of(curve.of_class), hex(colour_of(curve.of_class)),
        quoted(cut(curve.name, name_length) + fmt::format("  AUC {:.4f}", curve.area), 60)));
  script.plot(items);
  return std::move(script).take();
}

Drawing drawing_of(const figure::Trends& figure, const Look& look) {
  Script script(720, 480, look);
  script.caption(figure.frame.caption);
  figure::Range x = spread(figure, true), y = spread(figure, false);
  const double margin = figure.log_y ? 0 : 0.04 * (y.high - y.low);
  if (figure.log_y) {
    script.line("set logscale y 10");
    y = {y.low / 1.15, y.high * 1.15};
  }
  if (figure.log_x) {
    script.line("set logscale x 10");
    x = {x.low / 1.15, x.high * 1.15};
  } else {
    const double room = std::min(0.4, 0.04 * (x.high - x.low));
    x = {x.low - room, x.high + room};
  }
  script.plane({figure.frame.axes[0].name, x},
               {figure.frame.axes[1].name, {y.low - margin, y.high + margin}});
  if (figure.log_x && !figure.trends.empty()) {
    std::string tics;
    Vector sizes;
    for (const figure::Trend& trend : figure.trends)
      sizes.insert(sizes.end(), trend.x.begin(), trend.x.end());
    std::ranges::sort(sizes);
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    for (const double size : sizes)
      tics += fmt::format("{}'{:g}' {:g}", tics.empty() ? "" : ", ", size, size);
    script.line("set xtics (" + tics + ")");
  } else {
    script.line(x.high - x.low > 2 ? "set xtics 1" : "set xtics autofreq");
  }
  if (figure.log_y) {
    std::string tics;
    for (double power = std::pow(10, std::floor(std::log10(y.low))); power <= y.high; power *= 10)
      for (const double value : {power, 2 * power, 5 * power})
        tics += fmt::format("{}'{:g}' {:g}", tics.empty() ? "" : ", ", value, value);
    script.line("set ytics (" + tics + ")");
  }
  for (const double mark : figure.marks)
    script.line(
        fmt::format("set arrow from {:.9g}, graph 0 to {:.9g}, graph 1 nohead lc '#888888' "
                    "dt (2,3) lw 1",
                    mark, mark));
  script.legend("", figure.trends.size() + 2);
  std::vector<std::string> items;
  if (figure.guide)
    items.push_back(script.block({figure.guide->x, figure.guide->y}) + " " + guide_line +
                    " notitle");
  for (std::size_t t = 0; t < figure.trends.size(); ++t)
    add_trend(script, figure.trends[t], static_cast<Index>(t), items);
  if (figure.best) {
    const figure::Trend& trend = figure.trends[figure.best->first];
    items.push_back(
        script.block({Vector{trend.x[figure.best->second]}, Vector{trend.y[figure.best->second]}}) +
        " with points pt 6 ps 2.2 lw 2 lc '#000000' notitle");
  }
  for (std::size_t t = 0; t < figure.trends.size(); ++t)
    items.push_back(key_entry(
        fmt::format("with linespoints lw 2 {} pt {} ps 1 lc {}",
                    figure.trends[t].solid ? "dt 1" : "dt (8,4)", shape_of(static_cast<Index>(t)),
                    hex(colour_of(static_cast<Index>(t)))),
        figure.trends[t].name));
  if (figure.best)
    items.push_back(key_entry("with points pt 6 ps 1.6 lw 2 lc '#000000'", "chosen"));
  if (figure.guide) items.push_back(key_entry(guide_line, figure.guide->name, 40));
  if (!figure.marks.empty())
    items.push_back(key_entry("with lines dt (2,3) lw 1 lc '#888888'", "curves cross"));
  script.plot(items);
  return std::move(script).take();
}

}  // namespace genera::cli
