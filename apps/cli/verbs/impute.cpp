#include "completed_rows.hpp"
#include "output.hpp"
#include "report.hpp"
#include "verbs.hpp"

#include <genera/error.hpp>
#include <genera/impute.hpp>
#include <genera/io.hpp>

#include <fmt/format.h>

#include <ostream>

namespace genera::cli {
namespace {

RowStream open_rows(const Model& model, const ImputeArguments& arguments) {
  Roles roles = roles_for(model);
  roles.target = arguments.source.roles.target ? arguments.source.roles.target : model.target();
  roles.target_optional = !arguments.source.roles.target;
  roles.use_target = !roles.target->empty();
  roles.keep_records = true;
  roles.reread = arguments.draws > 1 || arguments.integers;
  RowStream rows(arguments.source.data, arguments.source.csv, std::move(roles));
  if (rows.is_svmlight())
    throw Error(Errc::bad_argument,
                arguments.source.data +
                    ": what is left out of an svmlight file is 0, and nothing "
                    "is missing",
                "give a table");
  return rows;
}

/// One completed table, or one of several.
struct Pass {
  const Model& model;
  std::optional<Index> draw;
  Rng chance;  ///< of the draw
  ImputeOptions options;
};

/// What was found in a pass, in order.
struct Found {
  Index rows = 0, filled_rows = 0, filled_cells = 0, texts = 0, unknown_labels = 0;

  void add(const Imputed& block) {
    rows += block.table.rows();
    filled_rows += block.filled.rows;
    filled_cells += block.filled.cells;
    texts += block.texts;
    unknown_labels += block.unknown_labels;
  }
};

Found write_table(RowStream& rows, const Pass& pass, const Common& common, std::ostream& out) {
  const bool at_once = answers_are_awaited(common);
  const CompletedRows written(rows.format(), pass.draw);
  Progress progress(common.quiet);
  Found found;
  bool begun = pass.draw.value_or(1) > 1;
  rows.for_each_block(common.threads, [&](Table&& read) -> std::function<void()> {
    Imputed filled = pass.draw ? impute_by_draw(pass.model, read, pass.chance, pass.options)
                               : impute(pass.model, read, pass.options);
    std::string lines = written.lines(read, filled.table);
    filled.table.kept.clear();
    return
        [&, header = written.header(read), lines = std::move(lines), filled = std::move(filled)] {
          if (!begun) out << header;
          begun = true;
          out << lines;
          if (at_once) out.flush();
          found.add(filled);
          progress.advance(filled.table.rows());
        };
  });
  return found;
}

std::string counted(Index n, const char* thing) {
  return fmt::format("{} {}{}", n, thing, n == 1 ? "" : "s");
}

void report(const Found& found, bool quiet) {
  const Report to(quiet);
  to.note(fmt::format("filled {} in {} of {}", counted(found.filled_cells, "cell"),
                      found.filled_rows, counted(found.rows, "row")));
  if (found.texts > 0)
    to.note(
        fmt::format("{} left empty: nothing is put into their place",
                    counted(found.texts, "missing text") + (found.texts == 1 ? " is" : " are")));
  if (found.unknown_labels > 0)
    to.warning(fmt::format("{} {} a label that the model does not know; {} filled as unlabelled",
                           counted(found.unknown_labels, "incomplete row"),
                           found.unknown_labels == 1 ? "has" : "have",
                           found.unknown_labels == 1 ? "it is" : "they are"));
}

}  // namespace

void run(const ImputeArguments& arguments) {
  const Common& common = arguments.common;
  refuse_output_onto(common, {arguments.model, arguments.source.data});
  const Model model = load_model(arguments.model);
  RowStream rows = open_rows(model, arguments);
  ImputeOptions options;
  if (arguments.integers) options.integers = whole_number_columns(rows, common.threads);
  if (arguments.draws > 0) Report(common.quiet).notes(fixed_parameters(model));
  Found found;
  write_output(common, [&](std::ostream& out) {
    const Rng rng(common.seed);
    if (arguments.draws == 0)
      found = write_table(rows, {model, std::nullopt, rng, options}, common, out);
    for (Index m = 1; m <= arguments.draws; ++m) {
      const auto number = static_cast<std::uint64_t>(m);
      const Model drawn = draw_parameters(model, rng.split(2 * number));
      found = write_table(rows, {drawn, m, rng.split(2 * number + 1), options}, common, out);
      if (m < arguments.draws) rows.rewind();
    }
  });
  report(found, common.quiet);
}

}  // namespace genera::cli
