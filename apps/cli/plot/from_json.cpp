#include "plot/from_json.hpp"

#include "show/json_reading.hpp"

#include <genera/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

/// Of a comparison by the number of columns, each number has a curve of its own.
std::string curve_name(const JsonTree& point) {
  const double columns = point.number("dimension");
  const std::string model = point.text("model");
  if (!std::isfinite(columns)) return model;
  return fmt::format("{}, {:g} {}", model, columns, columns == 1 ? "column" : "columns");
}

figure::Trend& trend_named(std::vector<figure::Trend>& trends, const std::string& name) {
  const auto found = std::ranges::find(trends, name, &figure::Trend::name);
  if (found != trends.end()) return *found;
  trends.push_back({.name = name});
  return trends.back();
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
    figure::Trend& trend = trend_named(figure.trends, curve_name(point));
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
  std::vector<figure::GridScore> scores;
  for (const JsonTree& candidate : items_of(tree, "candidates")) {
    const figure::GridScore score{
        candidate.number("alpha"), candidate.number("gamma"),
        candidate.number(metric == Metric::error ? "error_rate" : "log_loss")};
    if (std::isfinite(score.alpha + score.gamma)) scores.push_back(score);
  }
  if (scores.empty())
    refuse_file(path, "there is no grid of alpha and gamma in it",
                "genera select DATA --models rda --json > select.json");
  const JsonTree* best = tree.find("best");
  if (!best) return figure::path(scores, {}, metric);
  return figure::path(scores, std::pair(best->number("alpha"), best->number("gamma")), metric);
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
