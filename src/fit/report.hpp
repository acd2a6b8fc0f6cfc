#pragma once

#include <genera/error.hpp>
#include <genera/fit.hpp>

namespace genera::fit_detail {

/// Adds the notes of the report to the model.
[[nodiscard]] Fitted<Model> with_report(Model model, Report report);
[[nodiscard]] Fitted<LinearModel> with_report(LinearModel model, Report report);
[[nodiscard]] Fitted<Committee> with_report(Committee committee, Report report);

/// Adds notes that were made while the rows were read.
template <class M>
[[nodiscard]] Fitted<M> with_notes_before(const std::vector<Note>& before, Fitted<M> fitted) {
  fitted.report.notes.insert(fitted.report.notes.begin(), before.begin(), before.end());
  return with_report(std::move(fitted.model), std::move(fitted.report));
}

/// Adds notes on what the statistics leave out.
template <class M>
[[nodiscard]] Fitted<M> with_collected(const Collected& seen, Fitted<M> fitted) {
  fitted.report.dropped_rows = seen.dropped_rows;
  fitted.report.unlabelled_left_out = seen.unlabelled_left_out;
  fitted.report.missing_cells = seen.missing_cells;
  return with_notes_before(seen.notes, std::move(fitted));
}

/// Adds a note if there is only one class.
void note_one_class(const Statistics& statistics, Report& report);

/// The error, extended by the names of columns that had been left out before, if any.
[[nodiscard]] Error with_left_out(const Error& error, const std::vector<std::string>& columns);

/// Returns what `action` returns; its errors name the columns that the report lists as left out.
template <class Action>
auto naming_left_out(const Report& report, Action&& action) {
  try {
    return action();
  } catch (const Error& error) {
    throw with_left_out(error, report.columns_left_out);
  }
}

}  // namespace genera::fit_detail
