#include <genera/fit.hpp>

#include <utility>

#include <genera/error.hpp>

#include "blocks/second_pass.hpp"
#include "data/memory_rows.hpp"
#include "fit/em/fit_by_em.hpp"
#include "fit/fit_keeping.hpp"
#include "fit/laid_out.hpp"
#include "fit/mixture/kernels.hpp"
#include "fit/mixture/mda.hpp"
#include "fit/needs.hpp"
#include "fit/plan.hpp"
#include "fit/refuse.hpp"
#include "fit/report.hpp"
#include "kernel/progress.hpp"
#include "sums/classes.hpp"
#include "sums/cut_rows.hpp"
#include "sums/summarise.hpp"

namespace genera {
namespace {

using fit_detail::Needs;

void add(FourthMoments& sums, const FourthMoments& more) {
  sums.resize(more.size());
  for (std::size_t k = 0; k < more.size(); ++k) sums[k] += more[k];
}

FourthMoments fourth_moments(RowSource& rows, const blocks::FourthMomentPass& pass,
                             const Control& control) {
  return rows.reduce(
      control, [] { return FourthMoments(); }, [&](const Rows& chunk) { return pass.of(chunk); },
      add);
}

/// Sum of log p(x, y) over the summed rows; nothing if it cannot be computed from sums (counts,
/// mixtures).
std::optional<double> log_likelihood(const fit_detail::Plan& plan, const fit_detail::PlanSums& sums,
                                     const Model& model) {
  double sum = 0;
  for (std::size_t k = 0; k < sums.class_weights.size(); ++k)
    if (sums.class_weights[k] > 0) sum += sums.class_weights[k] * model.prior().log()[k];
  for (std::size_t b = 0; b < plan.blocks.size(); ++b) {
    if (!plan.blocks[b]->statistics_tell_likelihood()) return std::nullopt;
    sum += plan.blocks[b]->log_likelihood(model.blocks()[b], *sums.blocks[b]);
  }
  return sum;
}

/// From `Statistics&&`, moments are moved unless a column is left out.
template <class S>
Fitted<Model> estimated(S&& statistics, const Recipe& recipe,
                        const std::optional<FourthMoments>& fourth, int threads) {
  fit_detail::refuse_unfit(statistics, recipe, fourth);
  sums::refuse_odd_classes(statistics);
  Report report;
  report.rows = sums::rows_of(statistics);
  fit_detail::note_one_class(statistics, report);
  blocks::Estimating how;
  how.fourth = fourth ? &*fourth : nullptr;
  how.threads = threads;
  const fit_detail::Plan plan = fit_detail::naming_left_out(
      report, [&] { return fit_detail::plan_of(statistics, recipe, report); });
  fit_detail::require_blocks(plan, statistics, report.notes);
  const fit_detail::PlanSums sums(plan, std::forward<S>(statistics));
  Model model = fit_detail::naming_left_out(
      report, [&] { return fit_detail::estimate_model(plan, sums, how, {}, report); });
  report.training_log_likelihood = log_likelihood(plan, sums, model);
  return fit_detail::with_report(std::move(model), std::move(report));
}

/// The rows to learn from; unlabelled rows only if they have a weight.
class RowsToLearn {
 public:
  RowsToLearn(const Rows& rows, bool only_labelled) : rows_(rows) {
    if (!only_labelled) return;
    labelled_ = sums::labelled_rows(rows);
    rows_ = rows.only(labelled_);
  }
  [[nodiscard]] const Rows& get() const { return rows_; }

 private:
  Rows rows_;
  std::vector<Index> labelled_;
};

/// Throws because EM needs a second pass over rows that can be read only once.
void refuse_second_pass(const RowSource& rows) {
  if (rows.passes() == Passes::many) return;
  throw Error(Errc::bad_data,
              rows.name() +
                  ": values or labels are missing, so that EM needs the rows again, but "
                  "they can be read only once",
              {"make the rows restartable, read them into memory first, or use {}",
               {{"missing", {"drop"}}}});
}

/// One pass. As soon as EM turns out to be needed, keeps the rows in memory and sums up the rest
/// there.
sums::Pass pass_keeping_latent(data::KeptRows& rows, const sums::PassOptions& options,
                               const Control& control) {
  if (auto pass = sums::pass_until(*rows, options, control)) return *std::move(pass);
  refuse_second_pass(*rows);
  rows.keep(control);
  const DataView& data = rows.rows().data();
  sums::refuse_flood_of_classes(data.target, data.labels.names.size(), data.rows);
  return sums::pass_over(*rows, options.collect, options.entries, kernel::silent(control));
}

/// For fits that used all rows of the pass.
Fitted<Model> with_pass(sums::Pass pass, Fitted<Model> fitted) {
  note_left_out(pass.summary, pass.notes);
  fitted.report.missing_cells = cells_left_out(pass.summary);
  fitted.report.unlabelled_left_out = pass.unlabelled_left_out;
  return fit_detail::with_notes_before(pass.notes, std::move(fitted));
}

/// By EM if values or labels are missing.
Fitted<Model> learned(sums::Pass pass, const Rows& rows, const Recipe& recipe,
                      const FitOptions& options, const Control& control) {
  const fit_detail::LearnedRows all(rows, pass.summary.statistics);
  fit_detail::EmFit fitted = fit_detail::fit_by_em(all, recipe, options, control);
  if (recipe.gaussian.divisor == Divisor::unbiased)  // of the rescaled model
    fitted.report.training_log_likelihood.reset();
  return with_pass(std::move(pass), {std::move(fitted.model), std::move(fitted.report)});
}

Fitted<Model> mixtures_or_kernels(const Rows& rows, fit_detail::ClassGaussians one,
                                  const Recipe& recipe, const FitOptions& options,
                                  const Control& control) {
  if (recipe.kernel) return fit_detail::fit_kernels(rows, std::move(one), recipe, control);
  return fit_detail::fit_mixtures(rows, std::move(one), recipe, options, control);
}

Fitted<Model> mixtures_by_em(sums::Pass pass, const Rows& rows, const Recipe& recipe,
                             const FitOptions& options, const Control& control) {
  fit_detail::ClassGaussians one =
      fit_detail::class_gaussians(rows, recipe, options, kernel::silent(control));
  if (!one.place) return learned(std::move(pass), rows, recipe, options, control);
  return with_pass(std::move(pass),
                   mixtures_or_kernels(rows, std::move(one), recipe, options, control));
}

Fitted<Model> mixtures(const Collected& seen, const Rows& rows, const Recipe& recipe,
                       const FitOptions& options, const Control& control) {
  fit_detail::refuse_unfit(seen.statistics, recipe, {});
  sums::refuse_odd_classes(seen.statistics);
  fit_detail::ClassGaussians one = fit_detail::class_gaussians(seen.statistics, recipe);
  if (!one.place)
    return fit_detail::with_collected(seen,
                                      estimated(seen.statistics, recipe, {}, control.threads));
  fit_detail::note_one_class(seen.statistics, one.report);
  const std::vector<Index> usable = sums::learnable_rows(rows, options.missing);
  return fit_detail::with_collected(
      seen, mixtures_or_kernels(rows.only(usable), std::move(one), recipe, options, control));
}

}  // namespace

Fitted<Model> estimate(const Statistics& statistics, const Recipe& recipe,
                       const EstimateOptions& options, const Control& control) {
  fit_detail::validate(recipe);
  fit_detail::refuse_without_rows(recipe);
  return estimated(statistics, recipe, options.fourth, control.threads);
}

Fitted<Model> fit(RowsRef rows, const Recipe& recipe, const FitOptions& options,
                  const Control& control) {
  return fit_detail::fit_keeping(*rows, recipe, options, control, nullptr);
}

Fitted<Model> fit_detail::fit_keeping(RowSource& source, const Recipe& recipe,
                                      const FitOptions& options, const Control& control,
                                      std::optional<Statistics>* kept) {
  fit_detail::validate(recipe);
  validate(options);
  const Needs needs =
      fit_detail::needs_of(recipe, options.missing, source.schema().sparse_matrix.has_value());
  data::KeptRows rows(source);
  if (needs.all_rows || (!needs.only_sums() && source.passes() == Passes::one)) rows.keep(control);
  if (needs.sums.pairs && sums::has_numbers(rows->schema())) {
    sums::CutRows cut(*rows, sums::all_cuts(*rows, needs.sums, kernel::silent(control)));
    return fit_keeping(cut, recipe, options, control, kept);
  }
  // Kept statistics are complete: the caller may merge others into them or subtract rows.
  const sums::Entries entries = kept != nullptr ? sums::Entries::all : needs.entries;
  const auto is_latent = [&](const sums::Summary& summary) {
    return fit_detail::needs_em(summary, recipe, options);
  };
  sums::Pass pass = pass_keeping_latent(rows, {needs.sums, entries, is_latent}, control);
  fit_detail::leave_out_unlabelled(pass, options);
  const bool latent = is_latent(pass.summary);
  const Statistics& sparse = pass.summary.statistics;
  if (needs.every_cell && !sparse.classes().empty()) {
    LaidOutRows dense(*rows, columns_to_lay_out(sparse, rows->name()));
    return fit_keeping(dense, recipe, options, control, kept);
  }
  const bool only_labelled = pass.unlabelled_left_out > 0;
  if (latent) {
    fit_detail::refuse_missing(recipe);
    const RowsToLearn used(rows.rows(), only_labelled);
    return (needs.all_rows ? mixtures_by_em : learned)(std::move(pass), used.get(), recipe, options,
                                                       control);
  }
  Collected seen = sums::finish(std::move(pass), options.missing);
  if (needs.all_rows)
    return mixtures(seen, RowsToLearn(rows.rows(), only_labelled).get(), recipe, options, control);
  std::optional<FourthMoments> fourth;
  if (needs.fourth_moments)
    fourth = fourth_moments(*rows, {seen.statistics, recipe.gaussian, options.missing}, control);
  if (kept != nullptr && !needs.fourth_moments) *kept = seen.statistics;
  return fit_detail::with_collected(
      seen, estimated(std::move(seen.statistics), recipe, fourth, control.threads));
}

}  // namespace genera
