#include "cluster_output.hpp"
#include "output.hpp"
#include "report.hpp"
#include "verbs.hpp"

#include <genera/error.hpp>
#include <genera/io.hpp>

namespace genera::cli {
namespace {

void refuse_statistics(const std::string& data) {
  if (!looks_like_statistics(data)) return;
  throw Error(Errc::bad_argument, "'cluster' needs the rows, but '" + data + "' holds statistics",
              "give the table itself");
}

}  // namespace

void run(const ClusterArguments& arguments) {
  const Common& common = arguments.common;
  const Source& source = arguments.source;
  refuse_output_onto(common, {source.data});
  refuse_statistics(source.data);
  const Table table = read_csv(source.data, source.roles, source.csv, common.threads);
  const Clustering clustering = cluster(table, arguments.options);
  Common to_screen = common;
  to_screen.output.reset();
  write_output(to_screen, common.json ? cluster_json(clustering) : cluster_table(clustering));
  if (common.output) save(clustering.model, *common.output);
  Report(common.quiet).notes(clustering.model.notes());
}

}  // namespace genera::cli
