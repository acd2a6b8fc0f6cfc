#include "json_output.hpp"
#include "output.hpp"
#include "report.hpp"
#include "summary.hpp"
#include "verbs.hpp"

#include <genera/error.hpp>
#include <genera/io.hpp>

#include <algorithm>

namespace genera::cli {
namespace {

void refuse_what_needs_rows(const FitArguments& arguments) {
  const std::string& file = arguments.source.data;
  if (!arguments.source.options_given.empty()) {
    const std::string& option = arguments.source.options_given.front();
    throw Error(Errc::bad_argument, option + " needs the rows, but '" + file + "' holds statistics",
                "give " + option + " to 'genera stats' when the statistics are made");
  }
  if (arguments.recipe.mixture)
    throw Error(Errc::bad_argument,
                "--model mda needs the rows again, but '" + file + "' holds statistics",
                "use --model qda, or fit the table itself");
  if (arguments.recipe.gaussian.shrinkage.kind == Shrinkage::Kind::lw)
    throw Error(Errc::bad_argument,
                "--shrinkage lw needs the rows again, but '" + file + "' holds statistics",
                "use --shrinkage oas, or fit the table itself");
}

/// The types of the columns were decided when the statistics were made.
void refuse_other_types(const FitArguments& arguments, const Statistics& statistics) {
  const auto every = arguments.source.roles.default_type;
  const bool words =
      every == ColumnType::categorical && !statistics.schema().names_of(ColumnType::text).empty();
  if (words)
    throw Error(Errc::bad_argument,
                "--model " + arguments.model + " has no texts, but the statistics keep '" +
                    statistics.schema().names_of(ColumnType::text).front() + "' as text",
                "make the statistics with --model " + arguments.model);
  if (!every || statistics.columns().empty()) return;
  throw Error(Errc::bad_argument,
              "--model " + arguments.model + " has no numbers, but the statistics keep '" +
                  statistics.columns().front() + "' as numeric",
              "make the statistics with --model " + arguments.model);
}

struct Learnt {
  Model model;
  Weights weights;
};

bool is_weighted(const Statistics& statistics) {
  return std::ranges::any_of(statistics.classes(), [](const ClassStatistics& entry) {
    return entry.moments.weight != static_cast<double>(entry.rows);
  });
}

Learnt learn(const FitArguments& arguments) {
  const Source& source = arguments.source;
  if (looks_like_statistics(source.data)) {
    refuse_what_needs_rows(arguments);
    const Statistics statistics = load_statistics(source.data);
    refuse_other_types(arguments, statistics);
    return {estimate(statistics, arguments.recipe),
            is_weighted(statistics) ? Weights::given : Weights::rows};
  }
  RowStream rows(source.data, source.csv, source.roles);
  Progress progress(arguments.common.quiet);
  rows.on_progress([&](Index count) { progress.advance(count); });
  return {fit(rows, arguments.recipe,
              {.missing = source.missing.value_or(Missing::em),
               .threads = arguments.common.threads,
               .unlabelled_weight = arguments.unlabelled_weight,
               .on_step = [&](const EmStep& step) { progress.step(step.iteration); }}),
          source.roles.weights ? Weights::given : Weights::rows};
}

}  // namespace

void run(const FitArguments& arguments) {
  const Common& common = arguments.common;
  refuse_output_onto(common, {arguments.source.data});
  const auto [model, weights] = learn(arguments);
  if (!common.output) {
    write_output(common, common.json ? inspection_json(model) : summary(model));
    return;
  }
  save(model, *common.output);
  const Report report(common.quiet);
  report.notes(model.notes());
  report.note(headline(model, weights));
}

}  // namespace genera::cli
