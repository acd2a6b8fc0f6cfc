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
  Json classes = Json::array(), features = Json::array();
  for (const ClassStatistics& entry : statistics.classes())
    classes.push(Json::object()
                     .add("name", entry.name)
                     .add("rows", entry.rows)
                     .add("weight", Json::number(entry.weight))
                     .add("mean", Json::numbers(entry.moments.mean)));
  for (const Column& column : statistics.schema().features)
    features.push(Json::object().add("name", column.name).add("type", name_of(column.type)));
  return Json::object()
      .add("target", statistics.target())
      .add("columns", Json::texts(statistics.columns()))
      .add("features", std::move(features))
      .add("scatter", scatter_name(statistics.scatter()))
      .add("weight", Json::number(statistics.weight()))
      .add("classes", std::move(classes))
      .document();
}

}  // namespace

Missing missing_of_statistics(const Source& source) {
  if (source.missing == Missing::em)
    throw Error(Errc::bad_argument,
                "--missing em needs the rows themselves, which statistics do not keep",
                "use 'genera fit' on the rows themselves, or --missing drop");
  return source.missing.value_or(Missing::refuse);
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
