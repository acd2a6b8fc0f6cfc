#include "row_answers.hpp"

#include "show/output.hpp"
#include "show/report.hpp"

#include <ostream>

namespace genera::cli {
namespace {

void stream(RowStream& rows, const RowAnswers& answers, const Common& common, std::ostream& out) {
  const bool at_once = answers_are_awaited(common);
  ProgressLine progress(common.quiet || goes_to_terminal(common));
  bool begun = common.json;  // JSON lines have no header
  rows.for_each_chunk(progress.control(common.threads),
                      [&](Table&& table) -> std::function<void()> {
                        std::string header = common.json ? std::string() : answers.header(table);
                        return [&, header = std::move(header), lines = answers.lines(table)] {
                          if (!begun) out << header;
                          begun = true;
                          out << lines;
                          if (at_once) out.flush();
                        };
                      });
}

}  // namespace

void answer_rows(RowStream& rows, const RowAnswers& answers, const Common& common) {
  write_output(common, [&](std::ostream& out) { stream(rows, answers, common, out); });
}

}  // namespace genera::cli
