#include "lists.hpp"
#include "model_rows.hpp"
#include "options/common.hpp"
#include "options/decisions.hpp"
#include "options/model_file.hpp"
#include "options/reading.hpp"
#include "options/source.hpp"
#include "show/evaluation_output.hpp"
#include "show/json.hpp"
#include "show/output.hpp"
#include "show/report.hpp"

#include <genera/evaluate.hpp>

#include <fmt/format.h>

#include <map>
#include <optional>

namespace genera::cli {
namespace {

VerbText evaluate_text() {
  std::vector<OptionText> comparison =
      decision_texts("reject rows in which no class has probability P");
  comparison.insert(
      comparison.begin(),
      {"--target", "COL", "column with the true class (default: the model's target)"});
  comparison.push_back(weights_text());
  comparison.push_back(counts_text());
  comparison.push_back(
      {"--positive", "CLASS",
       "positive class of AUC and average precision with two classes (default: the second)"});
  comparison.push_back(
      {"--strict", "", "refuse a label that is missing or not a class of the model"});
  return {
      "evaluate",
      "how good the model is on labelled rows",
      "Compares predictions with the labels of DATA. Prints accuracy with its 95% interval "
      "(Wilson), the accuracy of always predicting the largest class, balanced accuracy (mean "
      "recall of the classes), log loss, Brier score, log-likelihood, precision, recall and F1 of "
      "each class, the confusion matrix and the most frequent confusions; calibration: a "
      "reliability table and the expected calibration error; with two classes, the area under the "
      "ROC curve (AUC) and the average precision, which need 24 bytes per row. With --costs, also "
      "the risk, which is the mean cost of the decisions; with --reject, the coverage (share of "
      "rows decided) and their selective risk; all other measures refer to all rows. With "
      "--weights, means and shares are weighted. Rows whose label is missing or not a class of the "
      "model are left out and counted.",
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

/// The index of the positive class; -1 unless there are two classes.
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

struct EvaluatedRows {
  Evaluation evaluation;
  bool training = false;  ///< the rows are those that the model was learned from
};

EvaluatedRows evaluation_of(const Classifier& loaded, const EvaluateArguments& arguments) {
  const DecisionArguments& decision = arguments.decision;
  const DecisionRule rule = rule_for(loaded, decision, arguments.common);
  RowStream rows = rows_for(loaded, arguments.source, Purpose::evaluate,
                            decision.priors.estimate ? Passes::many : Passes::one);
  const Classifier model = with_priors_of(loaded, rows, decision, arguments.common);
  ProgressLine progress(arguments.common.quiet);
  Evaluation evaluation =
      evaluate(model, rows, rule, progress.control(arguments.common.threads), arguments.others);
  const std::string& learned_from = ClassifierRef(loaded).origin().fingerprint;
  return {std::move(evaluation), !learned_from.empty() && learned_from == rows.fingerprint()};
}

/// 'q' (3 rows), 'r' (1 row)
std::string named(const std::map<std::string, Index>& labels) {
  constexpr std::size_t max = 5;
  std::string text;
  std::size_t shown = 0;
  for (const auto& [name, rows] : labels) {
    if (shown == max) return text + fmt::format(" and {} more", labels.size() - max);
    text += fmt::format("{}'{}' ({})", shown++ > 0 ? ", " : "", name, counted(rows, "row"));
  }
  return text;
}

void warn_left_out(bool quiet, const LeftOut& out) {
  const Report report(quiet);
  const auto rows = [](Index count) { return counted(count, "row is", "rows are") + " left out"; };
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
  const Classifier model =
      load_with_priors(arguments.model, arguments.source.data, decision.priors.given);
  const Index positive = positive_of(ClassifierRef(model).classes(), arguments.positive);
  const auto [evaluation, training] = evaluation_of(model, arguments);
  write_output(common, common.json ? json_document(facts(evaluation, positive))
                                   : evaluation_text(evaluation, positive));
  if (training)
    Report(common.quiet)
        .note(
            "the model was learned from these rows, so the figures are optimistic: evaluate it "
            "on other rows (see genera help split)");
  warn_left_out(common.quiet, evaluation.left_out());
  note_missing(common.quiet, evaluation.missing());
  warn_unseen(common.quiet, evaluation.unseen(), evaluation.unseen_levels());
  if (evaluation.impossible() > 0)
    Report(common.quiet)
        .warning(fmt::format("{} impossible under every class; {} judged by the priors",
                             counted(evaluation.impossible(), "row is", "rows are"),
                             evaluation.impossible() == 1 ? "it was" : "they were"));
}

}  // namespace

Verb evaluate_verb() { return {evaluate_text(), run_evaluate}; }

}  // namespace genera::cli
