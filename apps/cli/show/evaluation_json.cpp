#include "show/evaluation_output.hpp"

#include "show/json.hpp"

#include <cmath>
#include <optional>

namespace genera::cli {
namespace {

Json scores_json(const Evaluation::ClassScores& scores, bool weighted) {
  Json json = Json::object()
                  .add("precision", Json::number(scores.precision))
                  .add("recall", Json::number(scores.recall))
                  .add("f1", Json::number(scores.f1))
                  .add("support", scores.support);
  if (weighted) json.add("weight", Json::number(scores.weight));
  return json;
}

/// What was asked for besides: costs, rejection.
void add_decisions(Json& json, const Evaluation& evaluation) {
  if (evaluation.rule().costs) json.add("risk", Json::number(evaluation.risk()));
  if (!may_reject(evaluation.rule())) return;
  const std::optional<double> selective = evaluation.selective_risk();
  json.add("rejected", evaluation.rejected())
      .add("coverage", Json::number(evaluation.coverage()))
      .add("selective_risk", selective ? Json::number(*selective) : Json());
}

Json left_out_json(const LeftOut& out) {
  Json labels = Json::object();
  for (const auto& [name, rows] : out.labels) labels.add(name, rows);
  return Json::object()
      .add("rows", out.rows())
      .add("missing", out.missing)
      .add("unknown", out.unknown)
      .add("labels", std::move(labels));
}

Json reliability_json(const Evaluation& evaluation) {
  Json bins = Json::array();
  for (const ReliabilityBin& bin : evaluation.reliability()) {
    const bool any = bin.rows > 0;
    bins.push(Json::object()
                  .add("low", Json::number(bin.low))
                  .add("high", Json::number(bin.high))
                  .add("rows", bin.rows)
                  .add("confidence", any ? Json::number(bin.confidence) : Json())
                  .add("accuracy", any ? Json::number(bin.accuracy) : Json()));
  }
  return bins;
}

/// Whether the probabilities are what they say, and how well they rank the rows.
void add_probabilities(Json& json, const Evaluation& evaluation, Index positive) {
  json.add("reliability", reliability_json(evaluation))
      .add("ece", Json::number(evaluation.expected_calibration_error()));
  if (positive < 0) return;
  const auto number = [](const std::optional<double>& value) {
    return value ? Json::number(*value) : Json();
  };
  json.add("positive", evaluation.classes()[static_cast<std::size_t>(positive)])
      .add("auc", number(evaluation.area_under_roc(positive)))
      .add("average_precision", number(evaluation.average_precision(positive)));
}

/// How far chance and the shares of the classes explain the accuracy.
void add_comparisons(Json& json, const Evaluation& evaluation) {
  constexpr double level = 0.95;
  const Interval interval = evaluation.accuracy_interval(level);
  const Evaluation::Baseline baseline = evaluation.baseline();
  json.add("accuracy_interval", Json::object()
                                    .add("low", Json::number(interval.low))
                                    .add("high", Json::number(interval.high))
                                    .add("level", Json::number(level))
                                    .add("method", "wilson"))
      .add("balanced_accuracy", Json::number(evaluation.balanced_accuracy()))
      .add("baseline",
           Json::object()
               .add("class", evaluation.classes()[static_cast<std::size_t>(baseline.prediction)])
               .add("accuracy", Json::number(baseline.accuracy)));
}

void add_weights(Json& json, const Evaluation& evaluation) {
  if (!evaluation.weighted()) return;
  const Index classes = std::ssize(evaluation.classes());
  Matrix weights(classes, classes);
  for (Index k = 0; k < classes; ++k)
    for (Index l = 0; l < classes; ++l) weights(k, l) = evaluation.confusion_weight(k, l);
  json.add("weight", Json::number(evaluation.weight()))
      .add("confusion_weights", Json::rows(weights));
}

}  // namespace

bool may_reject(const DecisionRule& rule) {
  return rule.reject || (rule.costs && rule.costs->offers_review());
}

std::string evaluation_json(const Evaluation& evaluation, Index positive) {
  const std::vector<std::string>& classes = evaluation.classes();
  const double log_likelihood = evaluation.log_likelihood();
  Json confusion = Json::array(), per_class = Json::object();
  for (Index k = 0; k < std::ssize(classes); ++k) {
    Json row = Json::array();
    for (Index l = 0; l < std::ssize(classes); ++l) row.push(evaluation.confusion(k, l));
    confusion.push(std::move(row));
    per_class.add(classes[static_cast<std::size_t>(k)],
                  scores_json(evaluation.scores(k), evaluation.weighted()));
  }
  Json json = Json::object()
                  .add("rows", evaluation.rows())
                  .add("accuracy", Json::number(evaluation.accuracy()))
                  .add("error_rate", Json::number(evaluation.error_rate()))
                  .add("errors", evaluation.errors())
                  .add("log_loss", Json::number(evaluation.log_loss()))
                  .add("brier", Json::number(evaluation.brier()))
                  .add("log_likelihood",
                       std::isnan(log_likelihood) ? Json() : Json::number(log_likelihood));
  add_comparisons(json, evaluation);
  add_decisions(json, evaluation);
  if (evaluation.left_out().rows() > 0) json.add("left_out", left_out_json(evaluation.left_out()));
  json.add("classes", Json::texts(classes))
      .add("confusion", std::move(confusion))
      .add("per_class", std::move(per_class));
  add_weights(json, evaluation);
  add_probabilities(json, evaluation, positive);
  return json.document();
}

}  // namespace genera::cli
