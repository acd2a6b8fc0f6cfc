#include "row_answers.hpp"

#include "output.hpp"
#include "report.hpp"

#include <genera/query.hpp>

#include <ostream>

namespace genera::cli {
namespace {

Roles roles_for(const Model& model, const Source& source) {
  Roles roles = source.roles;
  const Roles needed = genera::roles_for(model);
  roles.use_target = needed.use_target;
  roles.expected = needed.expected;
  roles.text = needed.text;
  roles.default_type = needed.default_type;
  return roles;
}

void stream(RowStream& rows, const RowAnswers& answers, const Common& common, std::ostream& out) {
  const bool at_once = answers_are_awaited(common);
  Progress progress(common.quiet);
  bool begun = common.json;  // JSON lines have no header
  rows.for_each_block(common.threads, [&](Table&& table) -> std::function<void()> {
    std::string header = common.json ? std::string() : answers.header(table);
    return [&, header = std::move(header), lines = answers.lines(table), count = table.rows()] {
      if (!begun) out << header;
      begun = true;
      out << lines;
      if (at_once) out.flush();
      progress.advance(count);
    };
  });
}

}  // namespace

RowStream rows_for(const Model& model, const Source& source, Passes passes) {
  Roles roles = roles_for(model, source);
  roles.reread = passes == Passes::two;
  return {source.data, source.csv, std::move(roles)};
}

void answer_rows(RowStream& rows, const RowAnswers& answers, const Common& common) {
  write_output(common, [&](std::ostream& out) { stream(rows, answers, common, out); });
}

void answer_rows(const Model& model, const Source& source, const RowAnswers& answers,
                 const Common& common) {
  RowStream rows = rows_for(model, source, Passes::one);
  answer_rows(rows, answers, common);
}

}  // namespace genera::cli
