#include "statistics_files.hpp"

#include "show/json.hpp"
#include "show/output.hpp"
#include "show/report.hpp"
#include "show/summary.hpp"

#include <genera/error.hpp>
#include <genera/io.hpp>

namespace genera::cli {
namespace {

const char* scatter_name(Scatter scatter) {
  switch (scatter) {
    case Scatter::full:
      return "full";
    case Scatter::diagonal:
      return "diagonal";
    case Scatter::none:
      return "none";
  }
  return "";
}

std::string statistics_json(const Statistics& statistics) {
  const auto of_class = [](const ClassStatistics& entry) {
    return Facts{{"name", entry.name},
                 {"rows", entry.rows},
                 {"weight", entry.weight},
                 {"mean", entry.moments.mean}};
  };
  const auto of_feature = [](const Column& column) {
    return Facts{{"name", column.name}, {"type", name_of(column.type)}};
  };
  return json_document(Facts{{"target", statistics.target()},
                             {"columns", statistics.columns()},
                             {"features", list_of(statistics.schema().features, of_feature)},
                             {"scatter", scatter_name(statistics.scatter())},
                             {"weight", statistics.weight()},
                             {"classes", list_of(statistics.classes(), of_class)}});
}

}  // namespace

Missing missing_of_statistics(const Source& source) {
  if (source.missing == Missing::em)
    throw Error(Errc::bad_argument,
                "--missing em needs the rows themselves, which statistics do not keep",
                "use 'genera fit' on the rows themselves, or --missing drop");
  return source.missing.value_or(Missing::refuse);
}

RowStream rows_like(const Source& source, const StatisticsSchema& schema) {
  if (schema.sparse_matrix) return {source.rows(), source.csv, source.roles};
  std::vector<Column> columns;
  for (const Column& column : schema.features)
    columns.push_back({column.name, column.cut ? ColumnType::numeric : column.type});
  ExpectedRoles roles(std::move(columns));
  roles.target = source.roles.target.name().value_or(schema.target);
  roles.weights = source.roles.weights;
  roles.frequencies = source.roles.frequencies;
  roles.text = schema.text;
  return {source.rows(), source.csv, std::move(roles)};
}

CollectOptions options_like(const StatisticsSchema& schema, Missing missing) {
  return {.scatter = schema.scatter,
          .joint = schema.joint,
          .missing = missing,
          .pairs = schema.pairs,
          .cuts = cuts_of(schema)};
}

void about_file(const std::string& file, const std::function<void()>& combine) {
  try {
    combine();
  } catch (const Error& error) {
    throw Error(error.code(), file + ": " + error.what(), error.hint());
  }
}

void deliver(const Statistics& statistics, const Common& common) {
  if (!common.output) {
    write_output(common, common.json ? statistics_json(statistics) : summary(statistics));
    if (!goes_to_terminal(common))
      Report(common.quiet).note("this was a summary; -o FILE writes the statistics themselves");
    return;
  }
  save(statistics, *common.output);
  Report(common.quiet).note(headline(statistics));
}

}  // namespace genera::cli
