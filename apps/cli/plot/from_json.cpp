#include "plot/from_json.hpp"

#include "show/json_reading.hpp"

#include <genera/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

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

/// A member that is a positive number of things.
std::optional<Index> count_of(const JsonTree& tree, std::string_view key) {
  constexpr double max = 1e15;
  const double value = tree.number(key);
  if (!(value >= 1) || value > max) return std::nullopt;
  return static_cast<Index>(value);
}

/// If the number of columns varies, the name of a curve includes it.
std::string named(const JsonTree& point, std::string_view key) {
  const double columns = point.number("dimension");
  const std::string model = point.text(key);
  if (!std::isfinite(columns)) return model;
  return fmt::format("{}, {:g} {}", model, columns, columns == 1 ? "column" : "columns");
}

LearningCurve& curve_named(std::vector<LearningCurve>& curves, const std::string& name) {
  const auto found = std::ranges::find(curves, name, &LearningCurve::name);
  if (found != curves.end()) return *found;
  curves.push_back({.name = name});
  return curves.back();
}

/// The mean is NaN if the point has none.
Average average_of(const JsonTree& point, const std::string& of) {
  const double se = point.number(of + "_se");
  return {point.number(of + "_mean"), std::isfinite(se) ? se : 0};
}

std::vector<ClusterCandidate> candidates_of(const JsonTree& tree) {
  std::vector<ClusterCandidate> candidates;
  for (const JsonTree& one : items_of(tree, "candidates")) {
    const auto components = count_of(one, "components");
    const auto covariance = covariance_named(one.text("covariance"));
    const double bic = one.number("bic");
    if (components && covariance && std::isfinite(bic))
      candidates.push_back({.components = *components,
                            .covariance = *covariance,
                            .bic = bic,
                            .on_floor = one.flag("on_floor"),
                            .given_up = one.flag("given_up")});
  }
  return candidates;
}

}  // namespace

figure::Trends curves_from(const std::string& path, Metric metric) {
  const JsonTree tree = read_json(path);
  const std::string measured = metric == Metric::error ? "error" : "log_loss";
  std::vector<LearningCurve> curves;
  for (const JsonTree& point : items_of(tree, "curves")) {
    const auto size = count_of(point, "size");
    if (!size || !std::isfinite(point.number(measured + "_mean"))) continue;
    LearningCurve& curve = curve_named(curves, named(point, "model"));
    curve.generative = point.text("kind") != "discriminative";
    curve.points.push_back({.size = *size,
                            .error = average_of(point, "error"),
                            .log_loss = average_of(point, "log_loss")});
  }
  if (curves.empty())
    refuse_file(path, "it has no learning curves", "genera compare DATA --json -o compare.json");
  std::vector<figure::CurveCrossing> crossings;
  for (const JsonTree& crossing : items_of(tree, "crossings")) {
    const double size = crossing.number("size");
    if (crossing.text("metric") == measured && std::isfinite(size))
      crossings.push_back({named(crossing, "generative"), named(crossing, "discriminative"), size});
  }
  return figure::curves(curves, count_of(tree, "repeats").value_or(0), metric, crossings);
}

figure::Trends needed_from(const std::string& path) {
  const JsonTree tree = read_json(path);
  const auto number = [](const JsonTree& one, std::string_view key) {
    const double value = one.number(key);
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
  };
  const auto generative = [&](const std::string& model) {
    return std::ranges::none_of(items_of(tree, "models"), [&](const JsonTree& one) {
      return one.text("model") == model && one.text("kind") == "discriminative";
    });
  };
  std::vector<figure::NeededRows> needed;
  for (const JsonTree& one : items_of(tree, "needed")) {
    const std::string model = one.text("model");
    if (const auto columns = count_of(one, "dimension"))
      needed.push_back({model, generative(model), *columns, number(one, "rows"), number(one, "low"),
                        number(one, "high")});
  }
  if (needed.empty())
    refuse_file(path, "it has no numbers of rows needed",
                "genera compare --from MODEL --json -o compare.json");
  return figure::needed(needed, tree.number("within"));
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
    refuse_file(path, "it has no grid of alpha and gamma",
                "genera select DATA --models rda --json > select.json");
  const JsonTree* best = tree.find("best");
  if (!best) return figure::path(scores, {}, metric);
  return figure::path(scores, std::pair(best->number("alpha"), best->number("gamma")), metric);
}

figure::Trends bic_from(const std::string& path) {
  const JsonTree tree = read_json(path);
  const std::vector<ClusterCandidate> candidates = candidates_of(tree);
  if (candidates.empty())
    refuse_file(path, "it has no candidates of cluster",
                "genera cluster DATA --json > cluster.json");
  const JsonTree* best = tree.find("best");
  if (!best) return figure::bic(candidates);
  const auto chosen = std::ranges::find_if(candidates, [&](const ClusterCandidate& one) {
    return one.covariance == covariance_named(best->text("covariance")) &&
           one.components == count_of(*best, "components");
  });
  if (chosen == candidates.end()) return figure::bic(candidates);
  return figure::bic(candidates, static_cast<std::size_t>(chosen - candidates.begin()));
}

}  // namespace genera::cli
