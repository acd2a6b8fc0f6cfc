#include <genera/evaluate.hpp>

#include "kernel/index.hpp"

namespace genera {
namespace {

using kernel::at;

Facts scores_of(const Evaluation& evaluation, Index k) {
  const Evaluation::ClassScores scores = evaluation.scores(k);
  Facts all{{"precision", scores.precision},
            {"recall", scores.recall},
            {"f1", scores.f1},
            {"support", scores.support}};
  if (evaluation.weighted()) all.push_back({"weight", scores.weight});
  return all;
}

/// Accuracy relative to chance and to the class proportions.
Facts comparisons(const Evaluation& evaluation) {
  constexpr double level = 0.95;
  const Interval interval = evaluation.accuracy_interval(level);
  const Evaluation::Baseline baseline = evaluation.baseline();
  return {
      {"accuracy_interval",
       Facts{
           {"low", interval.low}, {"high", interval.high}, {"level", level}, {"method", "wilson"}}},
      {"balanced_accuracy", evaluation.balanced_accuracy()},
      {"baseline", Facts{{"class", evaluation.classes()[at(baseline.prediction)]},
                         {"accuracy", baseline.accuracy}}}};
}

/// Members that depend on the decision rule: costs and rejection.
Facts decisions(const Evaluation& evaluation) {
  Facts all;
  if (evaluation.rule().costs) all.push_back({"risk", evaluation.risk()});
  if (may_reject(evaluation.rule()))
    append(all, {{"rejected", evaluation.rejected()},
                 {"coverage", evaluation.coverage()},
                 {"selective_risk", evaluation.selective_risk()}});
  return all;
}

Facts left_out(const LeftOut& out) {
  Facts labels;
  for (const auto& [name, rows] : out.labels) labels.push_back({name, rows});
  return {{"rows", out.rows()},
          {"missing", out.missing},
          {"unknown", out.unknown},
          {"labels", std::move(labels)}};
}

Facts by_class(const Evaluation& evaluation) {
  const std::vector<std::string>& classes = evaluation.classes();
  const Index count = std::ssize(classes);
  Fact::List confusion;
  Matrix weights(count, count);
  Facts per_class;
  for (Index k = 0; k < count; ++k) {
    Fact::List row;
    for (Index l = 0; l < count; ++l) {
      row.emplace_back(evaluation.confusion(k, l));
      weights(k, l) = evaluation.confusion_weight(k, l);
    }
    confusion.emplace_back(std::move(row));
    per_class.push_back({classes[at(k)], scores_of(evaluation, k)});
  }
  Facts all{{"classes", classes},
            {"confusion", std::move(confusion)},
            {"per_class", std::move(per_class)}};
  if (evaluation.weighted())
    append(all, {{"weight", evaluation.weight()}, {"confusion_weights", std::move(weights)}});
  return all;
}

Facts reliability_of(const ReliabilityBin& bin) {
  const auto mean = [&](double value) { return bin.rows > 0 ? Fact::Value(value) : Fact::Value(); };
  return {{"low", bin.low},
          {"high", bin.high},
          {"rows", bin.rows},
          {"confidence", mean(bin.confidence)},
          {"accuracy", mean(bin.accuracy)}};
}

}  // namespace

Facts facts(const Evaluation& evaluation, Index positive) {
  Facts all{{"rows", evaluation.rows()},
            {"accuracy", evaluation.accuracy()},
            {"error_rate", evaluation.error_rate()},
            {"errors", evaluation.errors()},
            {"log_loss", evaluation.log_loss()},
            {"brier", evaluation.brier()},
            {"log_likelihood", evaluation.log_likelihood()}};
  append(all, comparisons(evaluation));
  append(all, decisions(evaluation));
  all.push_back({"left_out", left_out(evaluation.left_out())});
  append(all, by_class(evaluation));
  append(all, {{"reliability", list_of(evaluation.reliability(), reliability_of)},
               {"ece", evaluation.expected_calibration_error()}});
  if (evaluation.classes().size() == 2)
    append(all, {{"positive", evaluation.classes()[at(positive)]},
                 {"auc", evaluation.area_under_roc(positive)},
                 {"average_precision", evaluation.average_precision(positive)}});
  append(all, {{"impossible", evaluation.impossible()}, {"unseen", evaluation.unseen()}});
  return all;
}

Facts facts(const GroupProfiles& profiles, const std::vector<std::string>& groups) {
  Fact::List list;
  for (std::size_t k = 0; k < groups.size(); ++k) {
    const auto away = profiles.away.row(static_cast<Index>(k));
    list.emplace_back(Facts{{"name", groups[k]},
                            {"rows", profiles.rows[k]},
                            {"share", profiles.shares[k]},
                            {"profile", Vector(away.begin(), away.end())}});
  }
  return {{"columns", profiles.columns},
          {"mean", profiles.means},
          {"standard_deviation", profiles.deviations},
          {"groups", std::move(list)}};
}

}  // namespace genera
