#include "plot/from_json.hpp"

#include "show/json_reading.hpp"

#include <genera/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace genera::cli {
namespace {

[[noreturn]] void refuse_file(const std::string& path, const std::string& lacks,
                              const std::string& command) {
  throw Error(Errc::bad_data, fmt::format("{}: {}", path, lacks), "write it with " + command);
}

const std::vector<JsonTree>& items_of(const JsonTree& tree, std::string_view key) {
  static const JsonTree none;
  const JsonTree* found = tree.find(key);
  return (found ? *found : none).items();
}

figure::Trend& trend_named(std::vector<figure::Trend>& trends, const std::string& name) {
  const auto found = std::ranges::find(trends, name, &figure::Trend::name);
  if (found != trends.end()) return *found;
  trends.push_back({.name = name});
  return trends.back();
}

Vector distinct(const std::vector<JsonTree>& items, std::string_view key) {
  Vector values;
  for (const JsonTree& item : items) {
    const double value = item.number(key);
    if (std::isfinite(value)) values.push_back(value);
  }
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

Index place_of(const Vector& values, double value) {
  return std::ranges::find(values, value) - values.begin();
}

}  // namespace

figure::Trends curves_from(const std::string& path, Metric metric) {
  const JsonTree tree = read_json(path);
  const bool error = metric == Metric::error;
  figure::Trends figure{
      .frame = {.axes = {{.name = "training rows"},
                         {.name = error ? "error rate of test rows" : "log loss of test rows"}}},
      .log_x = true};
  for (const JsonTree& point : items_of(tree, "curves")) {
    const double size = point.number("size");
    const double mean = point.number(error ? "error_mean" : "log_loss_mean");
    if (!(size > 0) || !std::isfinite(mean)) continue;
    figure::Trend& trend = trend_named(figure.trends, point.text("model"));
    trend.solid = point.text("kind") != "discriminative";
    trend.x.push_back(size);
    trend.y.push_back(mean);
    const double se = point.number(error ? "error_se" : "log_loss_se");
    trend.error.push_back(std::isfinite(se) ? se : 0);
  }
  if (figure.trends.empty())
    refuse_file(path, "there are no learning curves in it",
                "genera compare DATA --json -o compare.json");
  for (const JsonTree& crossing : items_of(tree, "crossings")) {
    const double size = crossing.number("size");
    if (crossing.text("metric") == (error ? "error" : "log_loss") && std::isfinite(size))
      figure.marks.push_back(size);
  }
  const double repeats = tree.number("repeats");
  if (std::isfinite(repeats))
    figure.frame.caption.push_back(fmt::format(
        "means of {:g} random splits, with standard errors; dashed: discriminative", repeats));
  return figure;
}

figure::HeatMap path_from(const std::string& path, Metric metric) {
  const JsonTree tree = read_json(path);
  const bool error = metric == Metric::error;
  const std::vector<JsonTree>& candidates = items_of(tree, "candidates");
  figure::HeatMap figure{
      .frame = {.axes = {{.name = "alpha: own (1) or pooled (0) covariances"},
                         {.name = "gamma: towards a simple target"}}},
      .x = distinct(candidates, "alpha"),
      .y = distinct(candidates, "gamma"),
      .value_name = error ? "error rate, cross-validated" : "log loss, cross-validated"};
  if (figure.x.empty() || figure.y.empty())
    refuse_file(path, "there is no grid of alpha and gamma in it",
                "genera select DATA --models rda --json > select.json");
  figure.values =
      Matrix(std::ssize(figure.y), std::ssize(figure.x), std::numeric_limits<double>::quiet_NaN());
  for (const JsonTree& candidate : candidates) {
    const double alpha = candidate.number("alpha"), gamma = candidate.number("gamma");
    const double value = candidate.number(error ? "error_rate" : "log_loss");
    if (std::isfinite(alpha + gamma + value))
      figure.values(place_of(figure.y, gamma), place_of(figure.x, alpha)) = value;
  }
  for (Index j = 0; j < figure.values.rows(); ++j) {
    for (Index i = 0; i < figure.values.columns(); ++i) {
      const double value = figure.values(j, i);
      if (std::isfinite(value) &&
          (!figure.best || value < figure.values(figure.best->first, figure.best->second)))
        figure.best = {j, i};
    }
  }
  const JsonTree* best = tree.find("best");
  const double alpha = best ? best->number("alpha") : std::nan("");
  const double gamma = best ? best->number("gamma") : std::nan("");
  if (std::isfinite(alpha + gamma) && place_of(figure.x, alpha) < std::ssize(figure.x) &&
      place_of(figure.y, gamma) < std::ssize(figure.y))
    figure.best = {place_of(figure.y, gamma), place_of(figure.x, alpha)};
  if (figure.best)
    figure.frame.caption.push_back(fmt::format(
        "chosen: alpha {:g} and gamma {:g}; with gamma 0, alpha 1 is qda and alpha 0 is lda",
        figure.x[static_cast<std::size_t>(figure.best->second)],
        figure.y[static_cast<std::size_t>(figure.best->first)]));
  return figure;
}

figure::Trends bic_from(const std::string& path) {
  const JsonTree tree = read_json(path);
  figure::Trends figure{
      .frame = {.axes = {{.name = "components"}, {.name = "BIC (lower is better)"}}}};
  const JsonTree* best = tree.find("best");
  bool floor = false;
  for (const JsonTree& candidate : items_of(tree, "candidates")) {
    const double components = candidate.number("components"), bic = candidate.number("bic");
    const std::string name = candidate.text("covariance");
    if (!std::isfinite(components + bic)) continue;
    figure::Trend& trend = trend_named(figure.trends, name);
    trend.x.push_back(components);
    trend.y.push_back(bic);
    trend.usable.push_back(candidate.flag("on_floor") ? 0 : 1);
    floor = floor || candidate.flag("on_floor");
    if (best && best->text("covariance") == name && best->number("components") == components)
      figure.best = {static_cast<std::size_t>(&trend - figure.trends.data()), trend.x.size() - 1};
  }
  if (figure.trends.empty())
    refuse_file(path, "there are no numbers of components in it",
                "genera cluster DATA --json > cluster.json");
  if (floor) figure.frame.caption.emplace_back("crosses: a component collapsed; not ranked");
  return figure;
}

}  // namespace genera::cli
