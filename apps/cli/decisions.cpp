#include "decisions.hpp"

#include "csv_output.hpp"
#include "report.hpp"

#include <genera/error.hpp>

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

DecisionRule rule_for(const Model& model, const DecisionArguments& decision, const Common& common) {
  DecisionRule rule{.costs = {}, .reject = decision.reject};
  if (decision.costs) rule.costs = read_costs(*decision.costs, model.classes());
  if (!model.is_density() && (rule.costs || rule.reject))
    Report(common.quiet)
        .warning(
            "complement is a scorer: its probabilities, by which is decided, are not "
            "calibrated");
  return rule;
}

Model with_priors_of(Model model, RowStream& rows, const DecisionArguments& decision,
                     const Common& common) {
  if (!decision.estimate_priors) return model;
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

OutlierTail tail_below(const Model& model, double below, const Common& common) {
  if (!model.is_density())
    throw Error(Errc::bad_model, "complement is a scorer, not a density: it has no --outlier",
                "leave --outlier out, or use --model multinomial");
  OutlierTail tail(model, common.seed, common.threads);
  if (tail.resolution() >= below)
    throw Error(Errc::bad_argument,
                fmt::format("--outlier is {}, but the tail of this model is estimated by drawing "
                            "from it and cannot be smaller than {:.2g}",
                            below, tail.resolution()),
                fmt::format("write a number above {:.2g}", tail.resolution()));
  return tail;
}

std::string share_of_rows(Index part, Index rows) {
  const double percent =
      rows > 0 ? 100 * static_cast<double>(part) / static_cast<double>(rows) : 0.0;
  return fmt::format("{} of {} rows ({:.3g}%)", part, rows, percent);
}

}  // namespace genera::cli
