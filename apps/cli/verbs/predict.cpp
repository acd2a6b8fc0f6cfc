#include "decisions.hpp"
#include "model_facts.hpp"
#include "output.hpp"
#include "predictions.hpp"
#include "row_answers.hpp"
#include "verbs.hpp"

#include <genera/error.hpp>

namespace genera::cli {

void run(const PredictArguments& arguments) {
  const Common& common = arguments.common;
  const DecisionArguments& decision = arguments.decision;
  refuse_output_onto(common, {arguments.model, arguments.source.data, decision.costs.value_or("")});
  const Model loaded = load_with_priors(arguments.model, decision.priors);
  if (arguments.joint && !loaded.is_density())
    throw Error(Errc::bad_model,
                arguments.model + ": complement is a scorer, not a density: it has no --joint",
                "leave --joint out, or use --model multinomial");
  const DecisionRule rule = rule_for(loaded, decision, common);
  RowStream rows =
      rows_for(loaded, arguments.source, decision.estimate_priors ? Passes::two : Passes::one);
  const Model model = with_priors_of(loaded, rows, decision, common);
  std::optional<OutlierTail> tail;
  if (arguments.outlier) tail = tail_below(model, *arguments.outlier, common);

  Predictions predictions({model, rule, tail}, arguments);
  answer_rows(rows,
              {.header = [&](const Table& table) { return predictions.header(table); },
               .lines = [&](const Table& table) { return predictions.lines(table); }},
              common);
  predictions.report(common.quiet);
}

}  // namespace genera::cli
