#pragma once

#include <genera/select.hpp>

namespace genera::select_detail {

/// -log((1 - 1/n) p + 1/(n K)), where p is the probability of the true class: at most log(n K), so
/// that no single row can decide.
struct HeldOutSize {
  Index rows, classes;
};
[[nodiscard]] double bounded_loss(double log_probability, const HeldOutSize& of);

/// The model at that temperature; the report has it, too.
[[nodiscard]] Fitted<Classifier> with_temperature(Fitted<Classifier> fitted,
                                                  const Calibration& found);

/// The notes of a report are also those of the model.
[[nodiscard]] Fitted<Classifier> with_notes_of_report(Fitted<Classifier> fitted);

}  // namespace genera::select_detail
