#pragma once

#include <genera/error.hpp>
#include <genera/fit.hpp>

namespace genera::fit_detail {

/// The notes of a report are also those of the model.
[[nodiscard]] Fitted<Model> with_report(Model model, Report report);
[[nodiscard]] Fitted<LinearModel> with_report(LinearModel model, Report report);

/// With what was noticed before, while the rows were read.
template <class M>
[[nodiscard]] Fitted<M> with_notes_before(const std::vector<Note>& before, Fitted<M> fitted) {
  fitted.report.notes.insert(fitted.report.notes.begin(), before.begin(), before.end());
  return with_report(std::move(fitted.model), std::move(fitted.report));
}

/// With what the statistics that it was estimated from leave out.
template <class M>
[[nodiscard]] Fitted<M> with_collected(const Collected& seen, Fitted<M> fitted) {
  fitted.report.dropped_rows = seen.dropped_rows;
  fitted.report.unlabelled_left_out = seen.unlabelled_left_out;
  fitted.report.missing_cells = seen.missing_cells;
  return with_notes_before(seen.notes, std::move(fitted));
}

/// Says so if there is nothing to tell apart.
void note_one_class(const Statistics& statistics, Report& report);

/// The error with the names of columns that had been left out by then, if there are any.
[[nodiscard]] Error with_left_out(const Error& error, const std::vector<std::string>& columns);

/// What `action` returns; its errors name the columns that the report says are left out.
template <class Action>
auto naming_left_out(const Report& report, Action&& action) {
  try {
    return action();
  } catch (const Error& error) {
    throw with_left_out(error, report.columns_left_out);
  }
}

}  // namespace genera::fit_detail
