#include "lists.hpp"
#include "model_rows.hpp"
#include "options/common.hpp"
#include "options/decisions.hpp"
#include "options/model_file.hpp"
#include "options/reading.hpp"
#include "options/source.hpp"
#include "show/json.hpp"
#include "show/output.hpp"
#include "show/report.hpp"
#include "show/text_table.hpp"

#include <genera/evaluate.hpp>

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>

namespace genera::cli {
namespace {

VerbText evaluate_text() {
  std::vector<OptionText> comparison =
      decision_texts("count a row as rejected where no class has probability P");
  comparison.insert(comparison.begin(),
                    {"--target", "COL", "the column with the truth; default: the model's target"});
  comparison.push_back({"--positive", "CLASS",
                        "of two classes the one that AUC and average precision are about; default: "
                        "the second"});
  comparison.push_back(
      {"--strict", "", "refuse a label that is missing or not a class of the model"});
  return {
      "evaluate",
      "how good the model is on labelled rows",
      "Compares predictions with the labels of DATA: accuracy, log loss, Brier score, "
      "log-likelihood, precision, recall and F1 of each class, confusion matrix; whether the "
      "probabilities are honest: rows by the probability of their most probable class, with the "
      "share of them that have it, and the expected calibration error; of two classes the area "
      "under the ROC curve (AUC) and the average precision, for which 16 bytes a row are kept. "
      "With --costs also "
      "the risk, the mean cost of the decisions; with --reject the coverage, the share of the rows "
      "decided, and their selective risk, while all other figures stay those of all rows. "
      "Rows whose label is missing or not a class of the model are left out and counted.",
      {model_argument(), data_argument()},
      {{"Comparison", std::move(comparison)}, reading_texts(), common_texts("standard output")},
      {"genera fit @vowel_train --model lda -o vowel.json",
       "genera evaluate vowel.json @vowel_train", "genera evaluate vowel.json @vowel_test --json",
       "genera evaluate vowel.json @vowel_test --reject 0.5",
       "genera fit @sonar --model lda -o sonar.json",
       "genera evaluate sonar.json @sonar --positive M"}};
}

struct EvaluateArguments {
  std::string model;
  Source source;
  DecisionArguments decision;
  OtherLabels others;
  std::optional<std::string> positive;
  Common common;
};

EvaluateArguments evaluate_arguments(const Words& words) {
  return {words.arguments[0],
          source_of(words.arguments[1], words),
          decision_of(words),
          words.has("--strict") ? OtherLabels::refuse : OtherLabels::leave_out,
          words.value("--positive"),
          common_of(words)};
}

/// The place of the positive class of two; -1: there are not two.
Index positive_of(const std::vector<std::string>& classes,
                  const std::optional<std::string>& named) {
  if (!named) return classes.size() == 2 ? 1 : -1;
  if (classes.size() != 2)
    throw Error(Errc::bad_argument,
                fmt::format("--positive is for two classes, but the model has {}", classes.size()),
                "leave --positive out");
  if (const auto place = find_label(classes, *named)) return *place;
  throw Error(Errc::bad_argument,
              "--positive is '" + *named + "', which is not a class of the model",
              suggest(*named, classes, "its classes are " + joined_list(classes)));
}

Evaluation evaluation_of(const Classifier& loaded, const EvaluateArguments& arguments) {
  const DecisionArguments& decision = arguments.decision;
  const DecisionRule rule = rule_for(loaded, decision, arguments.common);
  RowStream rows = rows_for(loaded, arguments.source, Purpose::evaluate,
                            decision.priors.estimate ? Passes::several : Passes::one);
  const Classifier model = with_priors_of(loaded, rows, decision, arguments.common);
  ProgressLine progress(arguments.common.quiet);
  return evaluate(model, rows, rule, progress.control(arguments.common.threads), arguments.others);
}

std::string scores_table(const Evaluation& evaluation) {
  std::vector<std::vector<std::string>> cells{{"class", "precision", "recall", "f1", "support"}};
  for (std::size_t k = 0; k < evaluation.classes().size(); ++k) {
    const Evaluation::ClassScores scores = evaluation.scores(static_cast<Index>(k));
    cells.push_back({evaluation.classes()[k], fmt::format("{:.4f}", scores.precision),
                     fmt::format("{:.4f}", scores.recall), fmt::format("{:.4f}", scores.f1),
                     std::to_string(scores.support)});
  }
  return text_table(cells);
}

std::string confusion_table(const Evaluation& evaluation) {
  constexpr std::size_t most_classes_of_a_confusion = 20;
  const std::vector<std::string>& classes = evaluation.classes();
  if (classes.size() > most_classes_of_a_confusion)
    return fmt::format("confusion: not shown for more than {} classes (--json has it)\n",
                       most_classes_of_a_confusion);
  std::vector<std::vector<std::string>> cells{{"truth \\ prediction"}};
  cells[0].insert(cells[0].end(), classes.begin(), classes.end());
  for (std::size_t k = 0; k < classes.size(); ++k) {
    cells.push_back({classes[k]});
    for (std::size_t l = 0; l < classes.size(); ++l)
      cells.back().push_back(
          std::to_string(evaluation.confusion(static_cast<Index>(k), static_cast<Index>(l))));
  }
  return "confusion\n" + text_table(cells);
}

/// Bins without rows are not shown.
std::string reliability_table(const Evaluation& evaluation) {
  std::vector<std::vector<std::string>> cells{
      {"probability of the best class", "rows", "mean", "correct"}};
  for (const ReliabilityBin& bin : evaluation.reliability()) {
    if (bin.rows == 0) continue;
    cells.push_back({fmt::format("{:.3f} to {:.3f}", bin.low, bin.high), std::to_string(bin.rows),
                     fmt::format("{:.4f}", bin.confidence), fmt::format("{:.4f}", bin.accuracy)});
  }
  return text_table(cells);
}

std::string figures(const Evaluation& evaluation, Index positive) {
  const auto digits = [](double value) { return fmt::format("{:.6g}", value); };
  std::vector<std::vector<std::string>> cells{
      {"rows", std::to_string(evaluation.rows())},
      {"errors", std::to_string(evaluation.errors())},
      {"accuracy", digits(evaluation.accuracy())},
      {"error rate", digits(evaluation.error_rate())},
      {"log loss", digits(evaluation.log_loss())},
      {"Brier score", digits(evaluation.brier())},
      {"log-likelihood", std::isnan(evaluation.log_likelihood())
                             ? std::string("none: a scorer has no density")
                             : digits(evaluation.log_likelihood())},
      {"calibration error", digits(evaluation.expected_calibration_error())}};
  if (positive >= 0) {
    const auto of_pairs = [&](const std::optional<double>& value) {
      return value ? digits(*value) : std::string("none: the rows are all of one class");
    };
    const std::string& name = evaluation.classes()[static_cast<std::size_t>(positive)];
    cells.push_back({"AUC (" + name + ")", of_pairs(evaluation.area_under_roc(positive))});
    cells.push_back({"average precision", of_pairs(evaluation.average_precision(positive))});
  }
  if (evaluation.rule().costs) cells.push_back({"risk", digits(evaluation.risk())});
  if (evaluation.rule().reject) {
    const std::optional<double> selective = evaluation.selective_risk();
    cells.push_back({"rejected", std::to_string(evaluation.rejected())});
    cells.push_back({"coverage", digits(evaluation.coverage())});
    cells.push_back({"selective risk", selective ? digits(*selective) : std::string("none")});
  }
  return text_table(cells);
}

std::string readable(const Evaluation& evaluation, Index positive) {
  return figures(evaluation, positive) + '\n' + scores_table(evaluation) + '\n' +
         confusion_table(evaluation) + '\n' + reliability_table(evaluation);
}

Json scores_json(const Evaluation::ClassScores& scores) {
  return Json::object()
      .add("precision", Json::number(scores.precision))
      .add("recall", Json::number(scores.recall))
      .add("f1", Json::number(scores.f1))
      .add("support", scores.support);
}

/// What was asked for besides: costs, rejection.
void add_decisions(Json& json, const Evaluation& evaluation) {
  if (evaluation.rule().costs) json.add("risk", Json::number(evaluation.risk()));
  if (!evaluation.rule().reject) return;
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

std::string evaluation_json(const Evaluation& evaluation, Index positive) {
  const std::vector<std::string>& classes = evaluation.classes();
  const double log_likelihood = evaluation.log_likelihood();
  Json confusion = Json::array(), per_class = Json::object();
  for (Index k = 0; k < std::ssize(classes); ++k) {
    Json row = Json::array();
    for (Index l = 0; l < std::ssize(classes); ++l) row.push(evaluation.confusion(k, l));
    confusion.push(std::move(row));
    per_class.add(classes[static_cast<std::size_t>(k)], scores_json(evaluation.scores(k)));
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
  add_decisions(json, evaluation);
  if (evaluation.left_out().rows() > 0) json.add("left_out", left_out_json(evaluation.left_out()));
  json.add("classes", Json::texts(classes))
      .add("confusion", std::move(confusion))
      .add("per_class", std::move(per_class));
  add_probabilities(json, evaluation, positive);
  return json.document();
}

/// 'q' (3 rows), 'r' (1 row)
std::string named(const std::map<std::string, Index>& labels) {
  constexpr std::size_t most = 5;
  std::string text;
  std::size_t shown = 0;
  for (const auto& [name, rows] : labels) {
    if (shown == most) return text + fmt::format(" and {} more", labels.size() - most);
    text += fmt::format("{}'{}' ({} {})", shown++ > 0 ? ", " : "", name, rows,
                        rows == 1 ? "row" : "rows");
  }
  return text;
}

void warn_left_out(bool quiet, const LeftOut& out) {
  const Report report(quiet);
  const auto rows = [](Index count) {
    return fmt::format("{} {} left out", count, count == 1 ? "row is" : "rows are");
  };
  if (out.missing > 0) report.warning(rows(out.missing) + ": no label");
  if (out.unknown > 0)
    report.warning(rows(out.unknown) + ": the label is not a class of the model, " +
                   named(out.labels));
}

void run_evaluate(const Words& words) {
  const EvaluateArguments arguments = evaluate_arguments(words);
  const Common& common = arguments.common;
  const DecisionArguments& decision = arguments.decision;
  refuse_output_onto(common, {arguments.model, arguments.source.data, decision.costs.value_or("")});
  const Classifier model = load_with_priors(arguments.model, decision.priors.given);
  const Index positive = positive_of(ClassifierRef(model).classes(), arguments.positive);
  const Evaluation evaluation = evaluation_of(model, arguments);
  write_output(
      common, common.json ? evaluation_json(evaluation, positive) : readable(evaluation, positive));
  warn_left_out(common.quiet, evaluation.left_out());
  note_missing(common.quiet, evaluation.missing());
  warn_unseen(common.quiet, evaluation.unseen(), evaluation.unseen_levels());
  if (evaluation.impossible() > 0)
    Report(common.quiet)
        .warning(fmt::format("{} rows are impossible under every class; they were judged by the "
                             "priors",
                             evaluation.impossible()));
}

}  // namespace

Verb evaluate_verb() { return {evaluate_text(), run_evaluate}; }

}  // namespace genera::cli
