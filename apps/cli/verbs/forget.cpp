#include "options/common.hpp"
#include "options/reading.hpp"
#include "options/source.hpp"
#include "show/output.hpp"
#include "show/report.hpp"
#include "statistics_files.hpp"

#include <genera/error.hpp>
#include <genera/io.hpp>

namespace genera::cli {
namespace {

VerbText forget_text() {
  return {
      "forget",
      "take rows, or a class, out of statistics",
      "The result is the statistics without the rows of DATA (a table or a file of statistics), or "
      "without the class of --class. Categories and words that occur only in these rows are "
      "removed, too. FILE may be STATS itself.",
      {{"STATS", "a file written by stats, merge or forget"},
       {"DATA", "the rows to forget, as a table or as statistics", 0, 1}},
      {{"What to forget",
        {{"--class", "NAME", "forget this class instead of DATA"},
         {"--target", "COL", "column with the class (default: that of STATS)"},
         weights_text(),
         counts_text(),
         missing_text()}},
       reading_texts(),
       common_texts("print a summary")},
      {"genera stats @vowel_train -o train.json", "genera stats @vowel_test -o test.json",
       "genera merge train.json test.json -o all.json",
       "genera forget all.json @vowel_test -o again.json", "genera stats @iris -o iris.stats.json",
       "genera forget iris.stats.json --class setosa -o iris.stats.json"}};
}

struct ForgetArguments {
  std::string statistics;
  std::optional<Source> source;             ///< rows to forget, or
  std::optional<std::string> forget_class;  ///< a class: exactly one of them
  Common common;
};

ForgetArguments forget_arguments(const Words& words) {
  ForgetArguments forget{.statistics = words.arguments[0],
                         .source = std::nullopt,
                         .forget_class = words.value("--class"),
                         .common = common_of(words)};
  const bool has_data = words.arguments.size() > 1;
  if (has_data == forget.forget_class.has_value())
    throw Error(
        Errc::bad_argument,
        has_data ? "'forget' takes DATA or --class, not both" : "'forget' needs DATA or --class",
        "write genera forget STATS DATA -o STATS, or genera forget STATS --class NAME -o "
        "STATS");
  if (has_data) {
    forget.source = source_of(words.arguments[1], words);
  } else if (const auto given = source_of("", words).options_given; !given.empty()) {
    throw Error(Errc::bad_argument, given.front() + " is about rows, but --class names a class",
                "leave " + given.front() + " out");
  }
  return forget;
}

Statistics statistics_of_rows(const Source& source, const Statistics& like, const Common& common) {
  const StatisticsSchema& schema = like.schema();
  RowStream rows = rows_like(source, schema);
  Collected collected = collect(rows, options_like(schema, missing_of_statistics(source)),
                                {.threads = common.threads});
  Report(common.quiet).notes(collected.notes);
  return std::move(collected.statistics);
}

Statistics statistics_to_forget(const Source& source, const Statistics& like,
                                const Common& common) {
  if (!looks_like_statistics(source.data)) return statistics_of_rows(source, like, common);
  if (!source.options_given.empty())
    throw Error(
        Errc::bad_argument,
        source.options_given.front() + " needs rows, but '" + source.data + "' holds statistics",
        "leave " + source.options_given.front() + " out");
  return load_statistics(source.data);
}

/// Found as labels are: "1" is also the class "1.0".
void forget_class(Statistics& statistics, const std::string& name) {
  std::vector<std::string> names;
  for (const ClassStatistics& entry : statistics.classes()) names.push_back(entry.name);
  const auto found = find_label(names, name);
  statistics.forget_class(found ? names[static_cast<std::size_t>(*found)] : name);
}

void run_forget(const Words& words) {
  const ForgetArguments arguments = forget_arguments(words);
  const Common& common = arguments.common;
  Statistics statistics = load_statistics(arguments.statistics);
  if (arguments.forget_class) {
    about_file(arguments.statistics, [&] { forget_class(statistics, *arguments.forget_class); });
  } else {
    const Source& source = *arguments.source;
    refuse_output_onto(common, {source.data});
    const Statistics part = statistics_to_forget(source, statistics, common);
    std::vector<Note> doubts;
    about_file(source.data, [&] { doubts = statistics.subtract(part); });
    Report(common.quiet).notes(doubts);
  }
  deliver(without_unused_names(statistics), common);
}

}  // namespace

Verb forget_verb() { return {forget_text(), run_forget}; }

}  // namespace genera::cli
