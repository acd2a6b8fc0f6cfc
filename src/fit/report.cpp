#include "fit/report.hpp"

#include <fmt/format.h>

#include "kernel/text.hpp"

namespace genera::fit_detail {
namespace {

template <class M>
Fitted<M> noted(M model, Report report) {
  std::vector<std::string> words;
  for (const Note& note : report.notes) words.push_back(kernel::as_utf8(in_words(note)));
  return {std::move(model).with_notes(std::move(words)), std::move(report)};
}

}  // namespace

Fitted<Model> with_report(Model model, Report report) {
  return noted(std::move(model), std::move(report));
}

Fitted<LinearModel> with_report(LinearModel model, Report report) {
  return noted(std::move(model), std::move(report));
}

Fitted<Committee> with_report(Committee committee, Report report) {
  return noted(std::move(committee), std::move(report));
}

void note_one_class(const Statistics& statistics, Report& report) {
  if (statistics.classes().size() != 1) return;
  report.notes.push_back(
      {fmt::format("there is only one class, '{}': every row is assigned to it; densities and "
                   "outlier tails remain meaningful",
                   statistics.classes().front().name)});
}

Error with_left_out(const Error& error, const std::vector<std::string>& columns) {
  if (columns.empty()) return error;
  return {error.code(),
          fmt::format("{}; left out before that, as constant or empty: {}", error.what(),
                      kernel::quoted_list(columns)),
          error.hint()};
}

}  // namespace genera::fit_detail
