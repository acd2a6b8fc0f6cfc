#include "json_output.hpp"
#include "output.hpp"
#include "report.hpp"
#include "summary.hpp"
#include "verbs.hpp"

#include <genera/error.hpp>
#include <genera/io.hpp>

namespace genera::cli {
namespace {

void refuse_what_needs_rows(const FitArguments& arguments) {
  const std::string& file = arguments.source.data;
  if (!arguments.source.options_given.empty()) {
    const std::string& option = arguments.source.options_given.front();
    throw Error(Errc::bad_argument, option + " needs the rows, but '" + file + "' holds statistics",
                "give " + option + " to 'genera stats' when the statistics are made");
  }
  if (arguments.recipe.gaussian.shrinkage.kind == Shrinkage::Kind::lw)
    throw Error(Errc::bad_argument,
                "--shrinkage lw needs the rows again, but '" + file + "' holds statistics",
                "use --shrinkage oas, or fit the table itself");
}

Model learn(const FitArguments& arguments) {
  const Source& source = arguments.source;
  if (looks_like_statistics(source.data)) {
    refuse_what_needs_rows(arguments);
    return estimate(load_statistics(source.data), arguments.recipe);
  }
  RowStream rows(source.data, source.csv, source.roles);
  return fit(rows, arguments.recipe,
             {.missing = source.missing, .threads = arguments.common.threads});
}

}  // namespace

void run(const FitArguments& arguments) {
  const Common& common = arguments.common;
  refuse_output_onto(common, {arguments.source.data});
  const Model model = learn(arguments);
  if (!common.output) {
    write_output(common, common.json ? inspection_json(model) : summary(model));
    return;
  }
  save(model, *common.output);
  const Report report(common.quiet);
  report.notes(model.notes());
  report.note(headline(model));
}

}  // namespace genera::cli
