#include "options/common.hpp"
#include "options/model.hpp"
#include "options/reading.hpp"
#include "options/source.hpp"
#include "options/terms.hpp"
#include "show/output.hpp"
#include "show/report.hpp"
#include "statistics_files.hpp"

#include <genera/io.hpp>

namespace genera::cli {
namespace {

VerbText stats_text() {
  return {"stats",
          "sufficient statistics of a table",
          "Computes the sufficient statistics of every model: weight, mean and scatter of each "
          "class, and counts of levels and words. Such files can be merged, parts can be "
          "forgotten, and fit accepts them in place of data.",
          {data_argument()},
          {{"Statistics",
            {{"--model", "NAME",
              "keep only what this model needs (gnb: no covariances; aode: pairs of columns)"},
             option_text("max_bins"),
             {"--like", "STATS",
              "collect what this file of statistics has, with its columns and limits of bins, so "
              "that both can be merged"}}},
           {"Text", cutting_texts()},
           columns_texts(missing_text()),
           reading_texts(),
           common_texts("print a summary")},
          {"genera stats @iris", "genera stats @iris -o iris.stats.json",
           "genera fit iris.stats.json --model qda -o iris.json"}};
}

struct StatsArguments {
  Source source;
  Scatter scatter = Scatter::full;
  bool joint = false, pairs = false;
  std::optional<Index> max_bins{};
  std::optional<Statistics> like{};
  Common common;
};

StatsArguments stats_arguments(const Words& words) {
  StatsArguments stats{.source = source_of(words.arguments[0], words), .common = common_of(words)};
  if (words.has("--like")) {
    for (const char* other : {"--model", "--max-bins"})
      if (words.has(other))
        throw Error(Errc::bad_argument,
                    std::string("--like collects what STATS has, and ") + other +
                        " asks for something else",
                    std::string("leave ") + other + " out");
    stats.like = load_statistics(*words.value("--like"));
    return stats;
  }
  if (!words.has("--model")) {
    if (words.has("--max-bins"))
      throw Error(Errc::bad_argument, "--max-bins is for --model aode", "use --model aode");
    return stats;
  }
  const NamedModel& model = model_named(model_name(words));
  if (model.is(NamedModel::Kind::logistic))
    throw Error(Errc::bad_argument, "--model logistic needs the rows, not their statistics",
                "fit the table itself, or leave --model out");
  stats.joint = model.joint;
  stats.pairs = model.is(NamedModel::Kind::pairs);
  if (stats.pairs) {
    stats.max_bins = std::get<Recipe>(recipe_of(words)).discrete.max_bins;
    stats.scatter = Scatter::diagonal;
    return stats;
  }
  if (!model.every_column) stats.scatter = scatter_needed(std::get<Recipe>(recipe_of(words)));
  return stats;
}

/// Statistics of svmlight files have no products of columns, because there are many columns.
void refuse_full_scatter(const StatsArguments& stats, const Words& words) {
  if (stats.scatter != Scatter::full || model_named(model_name(words)).every_column) return;
  throw Error(Errc::bad_argument,
              stats.source.data + ": --model " + *words.value("--model") +
                  " needs full scatter matrices, which statistics of an svmlight file do not keep",
              "use --model gnb, dlda, spherical or centroid, or fit the file itself");
}

CollectOptions collect_options(const StatsArguments& stats) {
  const Missing missing = missing_of_statistics(stats.source);
  if (stats.like) return options_like(stats.like->schema(), missing);
  return {.scatter = stats.scatter,
          .joint = stats.joint,
          .missing = missing,
          .pairs = stats.pairs,
          .max_bins = stats.max_bins};
}

void run_stats(const Words& words) {
  const StatsArguments arguments = stats_arguments(words);
  const Source& source = arguments.source;
  const Common& common = arguments.common;
  refuse_output_onto(common, {source.data});
  RowStream rows = arguments.like ? rows_like(source, arguments.like->schema())
                                  : RowStream(source.rows(), source.csv, source.roles);
  if (words.has("--model") && rows.sparse_matrix()) refuse_full_scatter(arguments, words);
  Collected collected;
  std::vector<std::string> said;
  {
    ProgressLine progress(common.quiet, rows.notes());
    collected = collect(rows, collect_options(arguments), progress.control(common.threads));
    said = progress.said();
  }
  Report(common.quiet).notes(collected.notes, said);
  deliver(collected.statistics, common);
}

}  // namespace

Verb stats_verb() { return {stats_text(), run_stats}; }

}  // namespace genera::cli
