#include "fit/em/finish.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "fit/report.hpp"

namespace genera::fit_detail {
namespace {

/// Number of priors in use: all, or only those of covariances whose complete rows are not singular.
Index count_priors(const EmIteration& em, bool all) {
  Index count = 0;
  for (const auto& block : em.priors())
    count += std::ranges::count_if(block, [&](const blocks::CollapsePrior& prior) {
      return prior.rows > 0 && (all || prior.singular.empty());
    });
  return count;
}

}  // namespace

std::string missing_numbers_text(Index count) {
  return counted(count, "missing number is", "missing numbers are") + " marginalised by EM";
}

void report_em(const EmIteration& em, double unlabelled_weight, Report& report) {
  const EmCourse course{.iterations = em.step().iteration,
                        .log_likelihood_first = em.first().log_likelihood,
                        .log_likelihood = em.step().log_likelihood,
                        .certainty_first = em.first().certainty,
                        .certainty = em.step().certainty};
  report.outcome = em.outcome();
  report.em = course;
  report.training_log_likelihood = course.log_likelihood;
  report.unlabelled_rows = em.rows().unlabelled;
  report.missing_numbers = em.rows().missing_numbers;
  report.weak_priors = count_priors(em, true);
  if (report.missing_numbers > 0)
    report.notes.push_back({missing_numbers_text(report.missing_numbers)});
  if (report.unlabelled_rows > 0)
    report.notes.push_back({fmt::format(
        "{} part with weight {:g}; {} likeliest class has a probability of {:.3f} on "
        "average ({:.3f} at first)",
        counted(report.unlabelled_rows, "row without a label takes", "rows without a label take"),
        unlabelled_weight, report.unlabelled_rows == 1 ? "its" : "their", course.certainty,
        course.certainty_first)});
  if (const Index weak = count_priors(em, false); weak > 0)
    report.notes.push_back({fmt::format(
        "too few rows are complete for the likelihood to have a maximum that can be trusted: {} "
        "estimated as if two more rows had the pooled variances and no correlations",
        counted(weak, "covariance is", "covariances are"))});
  const bool converged = report.outcome == Outcome::converged;
  report.notes.push_back(
      {fmt::format("EM {} after {}: log-likelihood {:.6f} ({:.6f} at first), last change {:.1e}",
                   converged ? "converged" : "did not converge",
                   counted(course.iterations, "iteration"), course.log_likelihood,
                   course.log_likelihood_first, em.step().change),
       converged ? Note::Kind::note : Note::Kind::warning});
}

Fitted<Model> last_estimate(const EmStart& from, const EmIteration& em, int threads) {
  Report report = from.report;
  report_em(em, from.unlabelled_weight, report);
  report.rows = from.rows;
  report.columns_left_out = from.of_plan.columns_left_out;
  std::ranges::copy(from.of_plan.notes, std::back_inserter(report.notes));
  Model model =
      estimate_model(*from.plan, em.sums(), estimating(false, threads), em.priors(), report);
  return {std::move(model), std::move(report)};
}

bool uses_patterns(const Plan& plan) {
  return std::ranges::any_of(plan.blocks,
                             [](const auto& block) { return block->pattern_columns() > 0; });
}

Model informed(const Plan& plan, const Model& model, const PatternMaps& patterns) {
  std::vector<Block> blocks;
  for (std::size_t b = 0; b < plan.blocks.size(); ++b) {
    std::vector<blocks::PatternWeight> rows;
    for (const auto& [observed, weights] : patterns[b]) rows.push_back({observed, weights});
    blocks.push_back(plan.blocks[b]->informed(model.blocks()[b], rows));
  }
  return {model.classes(), model.prior(), std::move(blocks), model.target(), model.notes()};
}

}  // namespace genera::fit_detail
