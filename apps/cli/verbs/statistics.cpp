#include "json_output.hpp"
#include "output.hpp"
#include "report.hpp"
#include "summary.hpp"
#include "verbs.hpp"

#include <genera/error.hpp>
#include <genera/io.hpp>

namespace genera::cli {
namespace {

void deliver(const Statistics& statistics, const Common& common) {
  if (!common.output) {
    write_output(common, common.json ? statistics_json(statistics) : summary(statistics));
    return;
  }
  save(statistics, *common.output);
  Report(common.quiet).note(headline(statistics));
}

/// Runs `combine` and says which file it was about if it fails.
/// EM needs the rows again and again.
Missing policy_of(const Source& source) {
  if (source.missing == Missing::em)
    throw Error(Errc::bad_argument,
                "--missing em needs the rows again and again, which statistics do not keep",
                "use 'genera fit' on the rows themselves, or --missing drop");
  return source.missing.value_or(Missing::refuse);
}

template <class Combine>
auto about_file(const std::string& file, const Combine& combine) {
  try {
    return combine();
  } catch (const Error& error) {
    throw Error(error.code(), file + ": " + error.what(), error.hint());
  }
}

RowStream rows_like(const Source& source, Roles roles, const StatisticsSchema& schema) {
  roles.expected = schema.features;
  return {source.data, source.csv, std::move(roles)};
}

/// Rows to forget have the columns and the target of the statistics, whatever else they have.
Statistics statistics_of_rows(const Source& source, const Statistics& like, const Common& common) {
  Roles roles = source.roles;
  if (!roles.target) roles.target = like.target();
  const StatisticsSchema& schema = like.schema();
  roles.text = schema.text;
  RowStream rows = schema.svmlight ? RowStream(source.data, source.csv, source.roles)
                                   : rows_like(source, std::move(roles), schema);
  Collected collected = collect(rows, {.scatter = schema.scatter,
                                       .joint = schema.joint,
                                       .missing = policy_of(source),
                                       .threads = common.threads});
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

/// Found as labels are: "1" is the class "1.0" too.
void forget_class(Statistics& statistics, const std::string& name) {
  std::vector<std::string> names;
  for (const ClassStatistics& entry : statistics.classes()) names.push_back(entry.name);
  const auto found = find_label(names, name);
  statistics.forget_class(found ? names[static_cast<std::size_t>(*found)] : name);
}

}  // namespace

void run(const StatsArguments& arguments) {
  const Source& source = arguments.source;
  const Common& common = arguments.common;
  refuse_output_onto(common, {source.data});
  RowStream rows(source.data, source.csv, source.roles);
  Progress progress(common.quiet);
  rows.on_progress([&](Index count) { progress.advance(count); });
  const Collected collected = collect(rows, {.scatter = arguments.scatter,
                                             .joint = arguments.joint,
                                             .missing = policy_of(source),
                                             .threads = common.threads});
  Report(common.quiet).notes(collected.notes);
  deliver(collected.statistics, common);
}

void run(const MergeArguments& arguments) {
  Statistics total = load_statistics(arguments.files.front());
  for (std::size_t i = 1; i < arguments.files.size(); ++i) {
    const Statistics part = load_statistics(arguments.files[i]);
    about_file(arguments.files[i], [&] { total.merge(part); });
  }
  deliver(total, arguments.common);
}

void run(const ForgetArguments& arguments) {
  const Common& common = arguments.common;
  Statistics statistics = load_statistics(arguments.statistics);
  if (arguments.forget_class) {
    about_file(arguments.statistics, [&] { forget_class(statistics, *arguments.forget_class); });
  } else {
    const Source& source = *arguments.source;
    refuse_output_onto(common, {source.data});
    const Statistics part = statistics_to_forget(source, statistics, common);
    const std::vector<std::string> doubts =
        about_file(source.data, [&] { return statistics.subtract(part); });
    for (const std::string& doubt : doubts) Report(common.quiet).warning(doubt);
  }
  deliver(without_unused_names(statistics), common);
}

}  // namespace genera::cli
