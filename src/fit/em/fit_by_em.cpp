#include "fit/em/fit_by_em.hpp"

#include "fit/report.hpp"
#include "kernel/progress.hpp"

namespace genera::fit_detail {
namespace {

EmFit iterate(EmStart from, const LearnedRows& rows, const Control& control) {
  const Plan& plan = *from.plan;
  const LatentRows latent(rows, plan, from.model, from.unlabelled_weight, control.threads);
  EmIteration em(plan, std::move(from.model), latent.complete(), {}, &from.sums, control.threads);
  kernel::ProgressMeter meter(control, Progress::Task::iterating);
  run(em, latent, control.threads, [&] {
    EmStep step = em.step();
    step.iterations_left = em.iterations_left();
    meter.advance(step);
  });
  auto [model, report] = last_estimate(from, em, control.threads);
  if (uses_patterns(plan)) model = informed(plan, model, latent.pattern_weights(model));
  return {std::move(from.plan), std::move(model), em.take_sums(), std::move(report), em.priors()};
}

}  // namespace

EmFit fit_by_em(const LearnedRows& rows, const Recipe& recipe, const FitOptions& options,
                const Control& control) {
  EmStart from = em_start(rows.observe(recipe, control.threads), recipe, options, control.threads);
  const Report of_plan = from.of_plan;
  return naming_left_out(of_plan, [&] { return iterate(std::move(from), rows, control); });
}

Model fit_by_em(const LearnedRows& rows, const Recipe& recipe, const FitOptions& options,
                const WarmStart& near) {
  const EmStart from = em_start(rows.observe(recipe, 1), recipe, options, 1);
  Model model = same_parameters(near.model, from.model) ? near.model : from.model;
  const LatentRows latent(rows, *from.plan, model, from.unlabelled_weight, 1);
  EmIteration em(*from.plan, std::move(model), latent.complete(), {.tolerance = near.tolerance},
                 &from.sums);
  run(em, latent, 1, [] {});
  Report ignored;
  return estimate_model(*from.plan, em.sums(), estimating(false, 1), em.priors(), ignored);
}

}  // namespace genera::fit_detail
