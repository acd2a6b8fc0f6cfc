#include "options/decisions.hpp"

#include "options/model_file.hpp"
#include "show/csv_output.hpp"
#include "show/report.hpp"
#include "values.hpp"

#include <fmt/format.h>

namespace genera::cli {
namespace {

/// As --priors takes them, but for the digits.
std::string listed(const Model& model, const Prior& prior) {
  std::string text;
  for (std::size_t k = 0; k < model.classes().size(); ++k)
    text += fmt::format("{}{}={:.6g}", k > 0 ? "," : "", csv_cell(model.classes()[k]),
                        prior.probabilities()[k]);
  return text;
}

}  // namespace

std::vector<OptionText> decision_texts(const std::string& reject) {
  return {decision_priors_text(),
          {"--costs", "FILE",
           "decide for the least expected cost; a CSV matrix: the header names the decisions, each "
           "line a truth and its costs; a decision 'review' leaves a row undecided at its price"},
          {"--reject", "P", reject}};
}

DecisionArguments decision_of(const Words& words) {
  DecisionArguments decision;
  decision.priors = decision_priors_of(words);
  decision.costs = words.value("--costs");
  if (decision.costs && decision.costs->empty())
    throw Error(Errc::bad_argument, "--costs is empty", "name the file with the costs");
  if (decision.costs == "-" && words.arguments.back() == "-")
    throw Error(Errc::bad_argument, "--costs and DATA are both standard input",
                "put one of them into a file");
  if (const auto reject = words.value("--reject"))
    decision.reject = parse_probability("--reject", *reject);
  return decision;
}

DecisionRule rule_for(ClassifierRef model, const DecisionArguments& decision,
                      const Common& common) {
  DecisionRule rule{.costs = {}, .reject = decision.reject};
  if (decision.costs) rule.costs = read_costs(*decision.costs, model.classes());
  const LinearModel* linear = model.linear();
  if (linear && !linear->is_probabilistic() && (rule.costs || rule.reject))
    Report(common.quiet)
        .warning(fmt::format("{} is a scorer: its probabilities, by which is decided, are not "
                             "calibrated",
                             name_of(linear->kind())));
  return rule;
}

Classifier with_priors_of(Classifier classifier, RowStream& rows, const DecisionArguments& decision,
                          const Common& common) {
  if (!decision.priors.estimate) return classifier;
  if (const auto* linear = std::get_if<LinearModel>(&classifier))
    refuse_other_priors(*linear, "--priors estimate");
  if (std::holds_alternative<Committee>(classifier))
    throw Error(Errc::bad_model, "--priors estimate: the members of a committee have their own",
                "give the priors as a list A=0.2,B=0.8, or fit a single model with --model best");
  const Model& model = std::get<Model>(classifier);
  const PriorEstimate estimate = estimate_priors(model, rows, {.threads = common.threads});
  const Report report(common.quiet);
  report.note(fmt::format("estimated priors: {}", listed(model, estimate.prior)));
  if (!estimate.converged)
    report.warning(
        fmt::format("the priors still changed after {} iterations; the classes can "
                    "hardly be told apart in these rows",
                    estimate.iterations));
  return model.with_prior(estimate.prior);
}

}  // namespace genera::cli
