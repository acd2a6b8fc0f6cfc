#pragma once

#include <genera/error.hpp>
#include <genera/fit.hpp>

namespace genera::fit_detail {

/// Throws Error (bad_argument) if anything in the recipe is out of range or excludes something
/// else. Called once, where a recipe comes in.
void validate(const Recipe& recipe);

/// Throws Error (bad_argument) if the statistics do not keep what the recipe needs.
void refuse_unfit(const Statistics& statistics, const Recipe& recipe,
                  const std::optional<FourthMoments>& fourth);

/// Says so if there is nothing to tell apart.
void note_one_class(const Statistics& statistics, Report& report);

/// The error with the columns that had been left out by then, if there are any.
[[nodiscard]] Error with_left_out(const Error& error, const Report& report);

/// What `action` returns; its errors name the columns that the report says are left out.
template <class Action>
auto naming_left_out(const Report& report, Action&& action) {
  try {
    return action();
  } catch (const Error& error) {
    throw with_left_out(error, report);
  }
}

/// The notes of a report are also those of the model.
[[nodiscard]] Fitted<Model> with_report(Model model, Report report);

}  // namespace genera::fit_detail
