#include <genera/fit.hpp>

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "blocks/second_pass.hpp"
#include "data/columns.hpp"
#include "data/densified.hpp"
#include "fit/em/fit_by_em.hpp"
#include "fit/estimate.hpp"
#include "fit/mixture/mda.hpp"
#include "fit/mixture/search.hpp"
#include "fit/plan.hpp"
#include "kernel/progress.hpp"
#include "kernel/text.hpp"
#include "sums/classes.hpp"
#include "sums/collect.hpp"

namespace genera {
namespace {

bool needs_fourth_moments(const Recipe& recipe) {
  return recipe.gaussian.shrinkage.kind == Shrinkage::Kind::lw;
}

/// Whether the columns of an svmlight file are measurements.
bool gaussian_svmlight(const Statistics& statistics, const Recipe& recipe) {
  return statistics.schema().sparse_matrix && !recipe.discrete.sparse_counts;
}

CollectOptions collect_options(const Recipe& recipe, const FitOptions& options, bool svmlight) {
  const bool only_sums = svmlight && recipe.discrete.sparse_counts;
  return {.scatter = only_sums ? Scatter::none : scatter_needed(recipe),
          .joint = recipe.discrete.joint,
          .missing = options.missing};
}

sums::Entries entries_needed(const Recipe& recipe, bool svmlight) {
  const DiscreteOptions& discrete = recipe.discrete;
  if (discrete.counts != CountModel::bernoulli) return sums::Entries::sums;
  const bool chosen_by_sums = !svmlight && (discrete.min_count > 0 || discrete.max_terms > 0);
  return chosen_by_sums ? sums::Entries::all : sums::Entries::presence;
}

void add(FourthMoments& sums, const FourthMoments& more) {
  sums.resize(more.size());
  for (std::size_t k = 0; k < more.size(); ++k) sums[k] += more[k];
}

FourthMoments fourth_moments(RowStream& rows, const blocks::FourthMomentPass& pass,
                             const Control& control) {
  return rows.reduce(
      control, [] { return FourthMoments(); }, [&](Table&& chunk) { return pass.of(chunk); }, add);
}

/// With what was noticed before, while the rows were read.
Fitted<Model> after(std::vector<Note> before, Fitted<Model> fitted) {
  std::vector<Note>& notes = fitted.report.notes;
  notes.insert(notes.begin(), std::make_move_iterator(before.begin()),
               std::make_move_iterator(before.end()));
  return fit_detail::with_report(std::move(fitted.model), std::move(fitted.report));
}

/// All rows of the pass were learned from.
Fitted<Model> after(sums::Pass pass, Fitted<Model> fitted) {
  note_left_out(pass.summary, pass.notes);
  fitted.report.missing_cells = cells_left_out(pass.summary);
  return after(std::move(pass.notes), std::move(fitted));
}

Fitted<Model> after(const Collected& seen, Fitted<Model> fitted) {
  fitted.report.dropped_rows = seen.dropped_rows;
  fitted.report.missing_cells = seen.missing_cells;
  return after(seen.notes, std::move(fitted));
}

/// Missing cells of naive blocks are left out exactly; everything else that is missing is latent.
bool needs_em(const sums::Summary& summary, const Recipe& recipe, const FitOptions& options) {
  if (options.missing != Missing::em) return false;
  if (summary.incomplete_rows + summary.unlabelled_rows > 0) return true;
  const auto sets = summary.statistics.schema().coded();
  if (!recipe.discrete.joint || sets.empty() || sets.front().size() < 2) return false;
  const std::vector<Column>& features = summary.statistics.schema().features;
  for (std::size_t j = 0; j < summary.missing_cells.size(); ++j) {
    if (summary.missing_cells[j] > 0 && features[j].type != ColumnType::text) return true;
  }
  return false;
}

/// A second pass over an svmlight file, whose columns are now known, row by row with all zeros.
Statistics dense_statistics(RowStream& rows, const Statistics& sparse, const Control& control) {
  const std::vector<std::string> names = blocks::columns_seen(sparse);
  constexpr std::size_t most_columns = 5000;
  if (names.size() > most_columns)
    throw Error(
        Errc::bad_data,
        fmt::format("{} has {} columns, too many for full covariances", rows.name(), names.size()),
        {"use {}, dlda, spherical or centroid, which keep variances only", {{"model", {"gnb"}}}});
  return rows.reduce(
      control, [] { return Statistics(); },
      [&](Table&& chunk) {
        Statistics part;
        part.add(data::densified(chunk, names));
        return part;
      },
      [](Statistics& total, const Statistics& part) { total.merge(part); });
}

Index rows_of(const Statistics& statistics) {
  Index rows = 0;
  for (const ClassStatistics& entry : statistics.classes()) rows += entry.rows;
  return rows;
}

Fitted<Model> estimated(const Statistics& statistics, const Recipe& recipe,
                        const std::optional<FourthMoments>& fourth, int threads) {
  fit_detail::refuse_unfit(statistics, recipe, fourth);
  sums::refuse_odd_classes(statistics);
  Report report;
  report.rows = rows_of(statistics);
  fit_detail::note_one_class(statistics, report);
  blocks::Estimating how;
  how.fourth = fourth ? &*fourth : nullptr;
  how.threads = threads;
  const fit_detail::Plan plan = fit_detail::naming_left_out(
      report, [&] { return fit_detail::plan_of(statistics, recipe, report); });
  fit_detail::require_blocks(plan, statistics, report.notes);
  Model model = fit_detail::naming_left_out(report, [&] {
    return fit_detail::estimate_model(plan, fit_detail::PlanSums(plan, statistics), how, {},
                                      report);
  });
  return fit_detail::with_report(std::move(model), std::move(report));
}

/// By EM, where something is missing.
Fitted<Model> learned(const Rows& rows, const Recipe& recipe, const FitOptions& options,
                      const Control& control) {
  fit_detail::EmFit fitted = fit_detail::fit_by_em(rows, recipe, options, control);
  return fit_detail::with_report(std::move(fitted.model), std::move(fitted.report));
}

/// The rows that a policy leaves.
std::vector<Index> usable_rows(const Rows& rows, Missing missing) {
  std::vector<Index> list;
  const auto usable = sums::usable_rows(rows, missing);
  for (Index i = 0; i < rows.count(); ++i) {
    const Index row = rows.row(i);
    if (rows.data().labels(row) >= 0 && usable(row)) list.push_back(row);
  }
  return list;
}

/// Mixtures need the rows again.
Fitted<Model> fit_mixtures(const Rows& rows, const Recipe& recipe, const FitOptions& options,
                           const Control& control) {
  const bool svmlight = data::sparse_features(rows.data()).has_value();
  CollectOptions collecting = collect_options(recipe, options, svmlight);
  if (!svmlight) collecting.scatter = Scatter::full;
  sums::Pass pass = sums::pass_over(rows, collecting, entries_needed(recipe, svmlight), control);
  if (svmlight) {
    const Collected seen = sums::finish(std::move(pass), options.missing);
    return fit_mixtures(data::densified(rows, blocks::columns_seen(seen.statistics)), recipe,
                        options, control);
  }
  if (needs_em(pass.summary, recipe, options)) {
    fit_detail::ClassGaussians one =
        fit_detail::class_gaussians(rows, recipe, options, kernel::silent(control));
    if (!one.gaussian()) return after(std::move(pass), learned(rows, recipe, options, control));
    return after(std::move(pass),
                 fit_detail::fit_mixtures(rows, std::move(one), recipe, options, control));
  }
  const Collected seen = sums::finish(std::move(pass), options.missing);
  fit_detail::refuse_unfit(seen.statistics, recipe, {});
  sums::refuse_odd_classes(seen.statistics);
  fit_detail::ClassGaussians one = fit_detail::class_gaussians(seen.statistics, recipe);
  if (!one.gaussian()) return after(seen, estimated(seen.statistics, recipe, {}, control.threads));
  fit_detail::note_one_class(seen.statistics, one.report);
  const std::vector<Index> usable = usable_rows(rows, options.missing);
  return after(
      seen, fit_detail::fit_mixtures(rows.only(usable), std::move(one), recipe, options, control));
}

}  // namespace

void fit_detail::refuse_unfit(const Statistics& statistics, const Recipe& recipe,
                              const std::optional<FourthMoments>& fourth) {
  if (needs_fourth_moments(recipe) && !fourth)
    throw Error(Errc::bad_argument,
                "Ledoit-Wolf shrinkage needs the rows again, not only their statistics",
                {"fit from the table, or use {}", {{"shrinkage", {"oas"}}}});
  if (gaussian_svmlight(statistics, recipe) && statistics.scatter() == Scatter::none)
    throw Error(
        Errc::bad_argument,
        fmt::format("{} needs the spread of the columns, but the statistics keep sums only",
                    name_of(recipe.gaussian.family)),
        {"make the statistics without {}, bernoulli or complement", {{"model", {"multinomial"}}}});
  const bool numbers = !statistics.columns().empty() || gaussian_svmlight(statistics, recipe);
  const bool diagonal =
      statistics.scatter() == Scatter::diagonal || statistics.schema().sparse_matrix;
  if (numbers && scatter_needed(recipe) == Scatter::full && diagonal)
    throw Error(
        Errc::bad_argument,
        fmt::format("{} needs full scatter matrices, but the statistics keep variances only",
                    name_of(recipe.gaussian.family)),
        {"use {}, dlda, spherical or centroid, or make full statistics", {{"model", {"gnb"}}}});
  if (fourth && fourth->size() != statistics.classes().size())
    throw Error(Errc::bad_argument,
                fmt::format("{} fourth moments for {} classes", fourth->size(),
                            statistics.classes().size()),
                "give one per class");
  if (recipe.discrete.joint != statistics.schema().joint && !statistics.levels().empty())
    throw Error(
        Errc::bad_argument,
        recipe.discrete.joint
            ? "the statistics count each column alone, and joint needs them together"
            : "the statistics count the columns jointly, which only the joint model can use",
        {recipe.discrete.joint ? "make the statistics with {}" : "fit them with {}, or make others",
         {{"model", {"joint"}}}});
}

void fit_detail::note_one_class(const Statistics& statistics, Report& report) {
  if (statistics.classes().size() != 1) return;
  report.notes.push_back({fmt::format(
      "there is only one class, '{}': every row will be given to it, but densities and "
      "outlier tails mean something",
      statistics.classes().front().name)});
}

void fit_detail::validate(const Recipe& recipe) {
  genera::validate(recipe.gaussian);
  genera::validate(recipe.discrete);
  if (!recipe.mixture) return;
  genera::validate(*recipe.mixture);
  refuse_for_mixtures(recipe.gaussian);
}

Error fit_detail::with_left_out(const Error& error, const Report& report) {
  const std::vector<std::string>& columns = report.columns_left_out;
  const bool said = std::string_view(error.what()).find("left out") != std::string_view::npos;
  if (columns.empty() || said) return error;
  return {error.code(),
          fmt::format("{}; left out before that, as constant or empty: {}", error.what(),
                      kernel::quoted_list(columns)),
          error.hint()};
}

Fitted<Model> fit_detail::with_report(Model model, Report report) {
  std::vector<std::string> words;
  for (const Note& note : report.notes) words.push_back(in_words(note));
  return {std::move(model).with_notes(std::move(words)), std::move(report)};
}

Fitted<Model> estimate(const Statistics& statistics, const Recipe& recipe,
                       const EstimateOptions& options, const Control& control) {
  fit_detail::validate(recipe);
  if (recipe.mixture)
    throw Error(Errc::bad_argument, "mda needs the rows again, not only their statistics",
                {"fit from the table, or use {}", {{"model", {"qda"}}}});
  return estimated(statistics, recipe, options.fourth, control.threads);
}

Fitted<Model> fit(const Rows& rows, const Recipe& recipe, const FitOptions& options,
                  const Control& control) {
  fit_detail::validate(recipe);
  validate(options);
  if (recipe.mixture) return fit_mixtures(rows, recipe, options, control);
  const bool svmlight = data::sparse_features(rows.data()).has_value();
  sums::Pass pass = sums::pass_over(rows, collect_options(recipe, options, svmlight),
                                    entries_needed(recipe, svmlight), control);
  if (needs_em(pass.summary, recipe, options))
    return after(std::move(pass), learned(rows, recipe, options, control));
  const Collected seen = sums::finish(std::move(pass), options.missing);
  std::optional<FourthMoments> fourth;
  if (needs_fourth_moments(recipe))
    fourth = blocks::FourthMomentPass(seen.statistics, recipe.gaussian, options.missing).of(rows);
  return after(seen, estimated(seen.statistics, recipe, fourth, control.threads));
}

Fitted<Model> fit(RowStream& rows, const Recipe& recipe, const FitOptions& options,
                  const Control& control) {
  fit_detail::validate(recipe);
  validate(options);
  if (recipe.mixture) {
    const Table table = read_rows(rows, control);
    return after(rows.notes(), fit_mixtures(table, recipe, options, control));
  }
  const bool svmlight = rows.is_svmlight();
  sums::Pass pass = sums::pass_over(rows, collect_options(recipe, options, svmlight),
                                    entries_needed(recipe, svmlight), control);
  if (needs_em(pass.summary, recipe, options)) {
    const Table table = read_rows(rows, control);
    return after(std::move(pass), learned(table, recipe, options, control));
  }
  Collected seen = sums::finish(std::move(pass), options.missing);
  if (gaussian_svmlight(seen.statistics, recipe) && scatter_needed(recipe) == Scatter::full)
    seen.statistics = dense_statistics(rows, seen.statistics, control);
  std::optional<FourthMoments> fourth;
  if (needs_fourth_moments(recipe))
    fourth = fourth_moments(rows, {seen.statistics, recipe.gaussian, options.missing}, control);
  return after(seen, estimated(seen.statistics, recipe, fourth, control.threads));
}

}  // namespace genera
