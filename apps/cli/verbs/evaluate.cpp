#include "decisions.hpp"
#include "json_output.hpp"
#include "model_facts.hpp"
#include "output.hpp"
#include "report.hpp"
#include "text_table.hpp"
#include "verbs.hpp"

#include <genera/evaluate.hpp>

#include <fmt/format.h>

#include <cmath>

namespace genera::cli {
namespace {

constexpr std::size_t most_classes_of_a_confusion = 20;

Evaluation evaluation_of(const Model& loaded, const EvaluateArguments& arguments) {
  const DecisionArguments& decision = arguments.decision;
  const DecisionRule rule = rule_for(loaded, decision, arguments.common);
  Roles roles = arguments.source.roles;
  if (!roles.target) roles.target = loaded.target();
  roles.expected = loaded.features();
  roles.text = loaded.text_options();
  roles.reread = decision.estimate_priors;
  RowStream rows(arguments.source.data, arguments.source.csv, roles);
  const Model model = with_priors_of(loaded, rows, decision, arguments.common);
  Progress progress(arguments.common.quiet);
  rows.on_progress([&](Index count) { progress.advance(count); });
  return evaluate(model, rows, {.threads = arguments.common.threads}, rule);
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

std::string figures(const Evaluation& evaluation) {
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
                             : digits(evaluation.log_likelihood())}};
  if (evaluation.rule().costs) cells.push_back({"risk", digits(evaluation.risk())});
  if (evaluation.rule().reject) {
    const std::optional<double> selective = evaluation.selective_risk();
    cells.push_back({"rejected", std::to_string(evaluation.rejected())});
    cells.push_back({"coverage", digits(evaluation.coverage())});
    cells.push_back({"selective risk", selective ? digits(*selective) : std::string("none")});
  }
  return text_table(cells);
}

std::string readable(const Evaluation& evaluation) {
  return figures(evaluation) + '\n' + scores_table(evaluation) + '\n' + confusion_table(evaluation);
}

}  // namespace

void run(const EvaluateArguments& arguments) {
  const Common& common = arguments.common;
  const DecisionArguments& decision = arguments.decision;
  refuse_output_onto(common, {arguments.model, arguments.source.data, decision.costs.value_or("")});
  const Model model = load_with_priors(arguments.model, decision.priors);
  const Evaluation evaluation = evaluation_of(model, arguments);
  write_output(common, common.json ? evaluation_json(evaluation) : readable(evaluation));
  note_missing(common.quiet, evaluation.missing());
  warn_unseen(common.quiet, evaluation.unseen());
  if (evaluation.impossible() > 0)
    Report(common.quiet)
        .warning(fmt::format("{} rows are impossible under every class; they were judged by the "
                             "priors",
                             evaluation.impossible()));
}

}  // namespace genera::cli
