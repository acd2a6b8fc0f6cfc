#include "fit/em/fit_by_em.hpp"

#include <algorithm>
#include <string>
#include <tuple>

#include <fmt/format.h>

#include "blocks/kinds.hpp"
#include "fit/em/observed.hpp"
#include "fit/refuse.hpp"
#include "fit/report.hpp"
#include "kernel/progress.hpp"
#include "kernel/text.hpp"
#include "sums/weightless.hpp"

namespace genera::fit_detail {
namespace {

void note_empty(const std::vector<std::string>& empty, Report& report) {
  if (empty.empty()) return;
  report.notes.push_back(
      {fmt::format("{} {} no value and {} left out", kernel::quoted_list(empty),
                   empty.size() == 1 ? "has" : "have", empty.size() == 1 ? "is" : "are")});
}

/// Priors that EM uses: all, or those of covariances whose complete rows are not singular.
Index count_priors(const Em& em, bool all) {
  Index count = 0;
  for (const auto& block : em.priors())
    count += std::ranges::count_if(block, [&](const blocks::CollapsePrior& prior) {
      return prior.rows > 0 && (all || prior.singular.empty());
    });
  return count;
}

/// With how much the rows say of it.
Model informed(const Plan& plan, const Model& model, const LatentRows& rows) {
  std::vector<std::vector<blocks::PatternWeight>> weights;
  const auto of_block = [&](std::size_t b) -> std::span<const blocks::PatternWeight> {
    if (weights.empty()) weights = rows.pattern_weights(model);
    return weights[b];
  };
  std::vector<Block> blocks;
  for (std::size_t b = 0; b < plan.blocks.size(); ++b)
    blocks.push_back(plan.blocks[b]->informed(model.blocks()[b], [&] { return of_block(b); }));
  return {model.classes(), model.prior(), std::move(blocks), model.target(), model.notes()};
}

}  // namespace

std::string missing_numbers_text(Index count) {
  return counted(count, "missing number is", "missing numbers are") + " marginalised by EM";
}

void report_em(const Em& em, const LatentRows& rows, const FitOptions& options, Report& report) {
  const EmCourse course{.iterations = em.step().iteration,
                        .log_likelihood_first = em.first().log_likelihood,
                        .log_likelihood = em.step().log_likelihood,
                        .certainty_first = em.first().certainty,
                        .certainty = em.step().certainty};
  report.outcome = em.outcome();
  report.em = course;
  report.training_log_likelihood = course.log_likelihood;
  report.unlabelled_rows = rows.unlabelled_rows();
  report.missing_numbers = rows.missing_numbers();
  report.weak_priors = count_priors(em, true);
  if (report.missing_numbers > 0)
    report.notes.push_back({missing_numbers_text(report.missing_numbers)});
  if (report.unlabelled_rows > 0)
    report.notes.push_back({fmt::format(
        "{} part with weight {:g}; {} likeliest class has a probability of {:.3f} on "
        "average ({:.3f} at first)",
        counted(report.unlabelled_rows, "row without a label takes", "rows without a label take"),
        options.unlabelled_weight.value_or(0), report.unlabelled_rows == 1 ? "its" : "their",
        course.certainty, course.certainty_first)});
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

namespace {

/// The plan that rows ask for, and what EM begins with.
struct Beginning {
  std::unique_ptr<Plan> plan;
  PlanSums sums;
  Report of_columns;
};

Beginning beginning_of(const Rows& rows, const Recipe& recipe, int threads, Report& report) {
  refuse_missing(recipe);
  const Observed observed = available_case_estimate(
      observed_statistics(rows, recipe, true, {.threads = threads}), recipe);
  refuse_unfit(observed.labelled, recipe, {});
  sums::refuse_odd_classes(observed.labelled);
  note_one_class(observed.labelled, report);
  note_empty(observed.empty_columns, report);
  Beginning found;
  found.of_columns.columns_left_out = observed.empty_columns;
  found.plan = naming_left_out(found.of_columns, [&] {
    return std::make_unique<Plan>(plan_of(observed.all, recipe, found.of_columns));
  });
  require_blocks(*found.plan, observed.all, found.of_columns.notes);
  found.sums = PlanSums(*found.plan, observed.labelled);
  return found;
}

blocks::Estimating estimating(bool maximum_likelihood, int threads) {
  blocks::Estimating how;
  how.maximum_likelihood = maximum_likelihood;
  how.threads = threads;
  return how;
}

/// From what is observed alone; the last estimate reports the same.
Model first_model(const Beginning& from, int threads) {
  Report ignored;
  return estimate_model(*from.plan, from.sums, estimating(true, threads), {}, ignored);
}

EmFit iterate(Beginning& from, const Rows& rows, const FitOptions& options, const Control& control,
              Report report) {
  const Plan& plan = *from.plan;
  Model model = first_model(from, control.threads);
  const LatentRows latent(rows, plan, model, options.unlabelled_weight.value_or(0),
                          control.threads);
  Em em(plan, std::move(model), {latent.complete_sums(), latent.weight()}, {}, &from.sums,
        control.threads);
  kernel::ProgressMeter meter(control, Progress::Task::iterating);
  run(em, latent, control.threads, [&] {
    EmStep step = em.step();
    step.iterations_left = em.iterations_left();
    meter.advance(step);
  });
  report_em(em, latent, options, report);
  report.rows = sums::rows_with_weight(rows);
  report.columns_left_out = from.of_columns.columns_left_out;
  std::ranges::copy(from.of_columns.notes, std::back_inserter(report.notes));
  const Model last = informed(
      plan,
      estimate_model(plan, em.sums(), estimating(false, control.threads), em.priors(), report),
      latent);
  return {std::move(from.plan), last, em.take_sums(), std::move(report)};
}

/// What the parameters of a block are of: its name, the levels of its columns, its terms.
auto identity_of(const Block& block) {
  return blocks::visit(block, [](auto kind, const auto& known) {
    return std::tuple(std::string(kind.name(known)), kind.layout(known).levels,
                      kind.text_terms(known));
  });
}

/// Whether two models have the same parameters, whatever their values.
bool same_parameters(const Model& a, const Model& b) {
  return a.classes() == b.classes() && a.features() == b.features() &&
         std::ranges::equal(a.blocks(), b.blocks(), {}, identity_of, identity_of);
}

}  // namespace

EmFit fit_by_em(const Rows& rows, const Recipe& recipe, const FitOptions& options,
                const Control& control) {
  Report report;
  Beginning from = beginning_of(rows, recipe, control.threads, report);
  return naming_left_out(from.of_columns,
                         [&] { return iterate(from, rows, options, control, std::move(report)); });
}

Model fit_by_em(const Rows& rows, const Recipe& recipe, const FitOptions& options,
                const WarmStart& from) {
  Report ignored;
  const Beginning beginning = beginning_of(rows, recipe, 1, ignored);
  const Plan& plan = *beginning.plan;
  Model model = first_model(beginning, 1);
  if (same_parameters(from.model, model)) model = from.model;
  const LatentRows latent(rows, plan, model, options.unlabelled_weight.value_or(0), 1);
  Em em(plan, std::move(model), {latent.complete_sums(), latent.weight()},
        {.tolerance = from.tolerance}, &beginning.sums);
  run(em, latent, 1, [] {});
  return estimate_model(plan, em.sums(), estimating(false, 1), em.priors(), ignored);
}

}  // namespace genera::fit_detail
