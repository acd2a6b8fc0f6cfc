#include <genera/fit.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "data/join_tables.hpp"
#include "data/svmlight/svmlight.hpp"
#include "fit/classes.hpp"
#include "fit/discrete.hpp"
#include "fit/em/em.hpp"
#include "fit/gaussian.hpp"
#include "fit/mixture/mda.hpp"
#include "fit/mixture/search.hpp"
#include "fit/shrinkage.hpp"
#include "stats/collect.hpp"

namespace genera {
namespace {

using fit_detail::GaussianInput;

bool needs_fourth_moments(const Recipe& recipe) {
  return recipe.gaussian.shrinkage.kind == Shrinkage::Kind::lw;
}

/// Whether the columns of an svmlight file are measurements.
bool gaussian_svmlight(const Statistics& statistics, const Recipe& recipe) {
  return statistics.schema().svmlight && !recipe.discrete.svmlight_counts;
}

CollectOptions collect_options(const Recipe& recipe, const FitOptions& options, bool svmlight) {
  const bool only_sums = svmlight && recipe.discrete.svmlight_counts;
  return {.scatter = only_sums ? Scatter::none : scatter_needed(recipe),
          .joint = recipe.discrete.joint,
          .missing = options.missing,
          .threads = options.threads};
}

stats::Entries entries_needed(const Recipe& recipe, bool svmlight) {
  const DiscreteOptions& discrete = recipe.discrete;
  if (discrete.counts != CountParameters::Kind::bernoulli) return stats::Entries::sums;
  const bool chosen_by_sums = !svmlight && (discrete.min_count > 0 || discrete.max_terms > 0);
  return chosen_by_sums ? stats::Entries::all : stats::Entries::presence;
}

void add(FourthMoments& sums, const FourthMoments& more) {
  sums.resize(more.size());
  for (std::size_t k = 0; k < more.size(); ++k) sums[k] += more[k];
}

FourthMoments fourth_moments(RowStream& rows, const fit_detail::FourthMomentPass& pass,
                             int threads) {
  FourthMoments sums;
  rows.rewind();
  rows.for_each_block(threads, [&](Table&& block) -> std::function<void()> {
    return [&sums, part = pass.of(block)] { add(sums, part); };
  });
  return sums;
}

Model noted(Model model, std::vector<std::string> notes) {
  notes.insert(notes.end(), model.notes().begin(), model.notes().end());
  return std::move(model).with_notes(std::move(notes));
}

void refuse_unfit(const Statistics& statistics, const Recipe& recipe,
                  const std::optional<FourthMoments>& fourth) {
  if (needs_fourth_moments(recipe) && !fourth)
    throw Error(Errc::bad_argument,
                "Ledoit-Wolf shrinkage needs the rows again, not only their statistics",
                "fit from the table, or use --shrinkage oas");
  if (gaussian_svmlight(statistics, recipe) && statistics.scatter() == Scatter::none)
    throw Error(Errc::bad_argument,
                fmt::format("{} needs the spread of the columns, but the statistics keep sums only",
                            name_of(recipe.gaussian.family)),
                "make the statistics without --model multinomial, bernoulli or complement");
  const bool numbers = !statistics.columns().empty() || gaussian_svmlight(statistics, recipe);
  const bool diagonal = statistics.scatter() == Scatter::diagonal || statistics.schema().svmlight;
  if (numbers && scatter_needed(recipe) == Scatter::full && diagonal)
    throw Error(
        Errc::bad_argument,
        fmt::format("{} needs full scatter matrices, but the statistics keep variances only",
                    name_of(recipe.gaussian.family)),
        "use --model gnb, dlda, spherical or centroid, or make full statistics");
  if (fourth && fourth->size() != statistics.classes().size())
    throw Error(Errc::bad_argument,
                fmt::format("{} fourth moments for {} classes", fourth->size(),
                            statistics.classes().size()),
                "give one per class");
  if (recipe.discrete.joint != statistics.schema().joint && !statistics.levels().empty())
    throw Error(Errc::bad_argument,
                recipe.discrete.joint
                    ? "the statistics count each column alone, and joint needs them together"
                    : "the statistics count the columns jointly, which only --model joint can use",
                recipe.discrete.joint ? "make the statistics with --model joint"
                                      : "fit them with --model joint, or make others");
}

std::optional<Block> gaussian_block(const Statistics& statistics, const GaussianOptions& options,
                                    const std::optional<FourthMoments>& fourth,
                                    std::vector<std::string>& notes) {
  GaussianInput input = fit_detail::gaussian_input(statistics, options);
  std::optional<Block> block;
  if (!input.columns.empty())
    block = GaussianBlock(fit_detail::estimate_gaussian(input, options, fourth));
  notes.insert(notes.end(), input.notes.begin(), input.notes.end());
  return block;
}

void append(std::vector<Block>& blocks, std::optional<Block> block) {
  if (block) blocks.push_back(*std::move(block));
}

std::vector<Block> discrete_blocks(const fit_detail::DiscreteInput& input,
                                   std::vector<std::string>& notes) {
  std::vector<Block> blocks;
  if (input.statistics.schema().joint) {
    append(blocks, fit_detail::joint_block(input, notes));
  } else {
    blocks = fit_detail::naive_blocks(input, notes);
  }
  append(blocks, fit_detail::count_block(input, notes));
  const bool skip = input.statistics.schema().svmlight && !input.options.svmlight_counts;
  for (std::size_t s = 0; s < input.statistics.terms().size() && !skip; ++s)
    append(blocks, fit_detail::term_block(input, s, notes));
  return blocks;
}

[[noreturn]] void refuse_nothing_left(const Statistics& statistics,
                                      const std::vector<std::string>& notes) {
  if (statistics.columns().empty() && !notes.empty())
    throw Error(Errc::bad_model, "nothing is left to learn from: " + notes.back(),
                "give columns that have values; for text lower --min-count or name fewer "
                "--stop-words");
  throw Error(Errc::bad_model, "every feature is constant", "give a column that varies");
}

/// Missing cells of naive blocks are left out exactly; everything else that is missing is latent.
bool needs_em(const stats::Summary& summary, const Recipe& recipe, const FitOptions& options) {
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
Statistics dense_statistics(RowStream& rows, const Statistics& sparse, const FitOptions& options) {
  const std::vector<std::string> names = fit_detail::columns_seen(sparse);
  constexpr std::size_t most_columns = 5000;
  if (names.size() > most_columns)
    throw Error(
        Errc::bad_data,
        fmt::format("{} has {} columns, too many for full covariances", rows.name(), names.size()),
        "use --model gnb, dlda, spherical or centroid, which keep variances only");
  Statistics total;
  rows.rewind();
  rows.for_each_block(options.threads, [&](Table&& block) -> std::function<void()> {
    Statistics part;
    part.add(data::densified(block, names));
    return [&total, part = std::move(part)] { total.merge(part); };
  });
  return total;
}

/// The blocks of the numbers, and what was noticed about them.
using NumberBlocks = std::function<std::vector<Block>(std::vector<std::string>& notes)>;

Model assemble(const Statistics& statistics, const Recipe& recipe, const EstimateOptions& options,
               const NumberBlocks& numbers) {
  const std::optional<FourthMoments>& fourth = options.fourth;
  validate(recipe.gaussian);
  validate(recipe.discrete);
  refuse_unfit(statistics, recipe, fourth);
  fit_detail::refuse_odd_classes(statistics);
  if (recipe.discrete.counts == CountParameters::Kind::complement &&
      recipe.priors.kind != PriorChoice::Kind::empirical)
    throw Error(Errc::bad_argument, "complement has no prior in its score: priors change nothing",
                "leave --priors out, or use --model multinomial");
  const fit_detail::ClassList classes = fit_detail::sorted_classes(statistics);
  std::vector<std::string> notes;
  if (classes.size() == 1)
    notes.push_back(fmt::format(
        "there is only one class, '{}': every row will be given to it, but densities and "
        "outlier tails mean something",
        classes.names.front()));
  std::vector<Block> blocks = numbers(notes);
  for (Block& block :
       discrete_blocks({statistics, classes, recipe.discrete, options.threads}, notes))
    blocks.push_back(std::move(block));
  if (blocks.empty()) refuse_nothing_left(statistics, notes);
  return {classes.names, resolve(recipe.priors, classes.names, classes.counts), std::move(blocks),
          statistics.target(), std::move(notes)};
}

/// Mixtures need the rows again.
Model fit_mixtures(const Table& table, const Recipe& recipe, const FitOptions& options) {
  validate(*recipe.mixture);
  fit_detail::refuse_for_mixtures(recipe.gaussian);
  const bool svmlight = data::is_svmlight(table);
  CollectOptions collecting = collect_options(recipe, options, svmlight);
  if (!svmlight) collecting.scatter = Scatter::full;
  stats::Pass pass = stats::pass_over(table, collecting, entries_needed(recipe, svmlight));
  if (needs_em(pass.summary, recipe, options))
    throw Error(
        Errc::bad_data,
        fmt::format("mda learns from complete rows with a label, but {} of {} rows lack "
                    "numbers or a label",
                    pass.summary.incomplete_rows + pass.summary.unlabelled_rows, pass.summary.rows),
        "use --missing drop, or another --model, which learns from all rows");
  const Collected seen = stats::finish(std::move(pass), options.missing);
  if (svmlight)
    return fit_mixtures(data::densified(table, fit_detail::columns_seen(seen.statistics)), recipe,
                        options);
  const auto numbers = [&](std::vector<std::string>& notes) {
    std::vector<Block> blocks;
    if (!seen.statistics.columns().empty())
      append(blocks,
             fit_detail::mixture_block(
                 {table, seen.statistics, recipe, options.missing, options.threads}, notes));
    return blocks;
  };
  return noted(assemble(seen.statistics, recipe, {{}, options.threads}, numbers), seen.notes);
}

}  // namespace

Model estimate(const Statistics& statistics, const Recipe& recipe, const EstimateOptions& options) {
  if (recipe.mixture)
    throw Error(Errc::bad_argument, "mda needs the rows again, not only their statistics",
                "fit from the table, or use --model qda");
  return assemble(statistics, recipe, options, [&](std::vector<std::string>& notes) {
    std::vector<Block> blocks;
    if (!statistics.columns().empty())
      append(blocks, gaussian_block(statistics, recipe.gaussian, options.fourth, notes));
    if (gaussian_svmlight(statistics, recipe))
      append(blocks, gaussian_block(fit_detail::moments_of_svmlight(statistics), recipe.gaussian,
                                    options.fourth, notes));
    return blocks;
  });
}

Model fit(const Table& table, const Recipe& recipe, const FitOptions& options) {
  validate(recipe.gaussian);
  if (recipe.mixture) return fit_mixtures(table, recipe, options);
  const bool svmlight = data::is_svmlight(table);
  stats::Pass pass = stats::pass_over(table, collect_options(recipe, options, svmlight),
                                      entries_needed(recipe, svmlight));
  if (needs_em(pass.summary, recipe, options)) {
    note_left_out(pass.summary, pass.notes);
    return noted(fit_detail::fit_by_em(table, recipe, options), pass.notes);
  }
  const Collected seen = stats::finish(std::move(pass), options.missing);
  std::optional<FourthMoments> fourth;
  if (needs_fourth_moments(recipe))
    fourth =
        fit_detail::FourthMomentPass(seen.statistics, recipe.gaussian, options.missing).of(table);
  return noted(estimate(seen.statistics, recipe, {std::move(fourth), options.threads}), seen.notes);
}

Model fit(RowStream& rows, const Recipe& recipe, const FitOptions& options) {
  validate(recipe.gaussian);
  if (recipe.mixture) {
    const Table table = read_rows(rows, options.threads);
    return noted(fit_mixtures(table, recipe, options), rows.notes());
  }
  const bool svmlight = rows.is_svmlight();
  stats::Pass pass = stats::pass_over(rows, collect_options(recipe, options, svmlight),
                                      entries_needed(recipe, svmlight));
  if (needs_em(pass.summary, recipe, options)) {
    note_left_out(pass.summary, pass.notes);
    rows.rewind();
    return noted(fit_detail::fit_by_em(read_rows(rows, options.threads), recipe, options),
                 pass.notes);
  }
  Collected seen = stats::finish(std::move(pass), options.missing);
  if (gaussian_svmlight(seen.statistics, recipe) && scatter_needed(recipe) == Scatter::full)
    seen.statistics = dense_statistics(rows, seen.statistics, options);
  std::optional<FourthMoments> fourth;
  if (needs_fourth_moments(recipe))
    fourth =
        fourth_moments(rows, {seen.statistics, recipe.gaussian, options.missing}, options.threads);
  return noted(estimate(seen.statistics, recipe, {std::move(fourth), options.threads}), seen.notes);
}

}  // namespace genera
