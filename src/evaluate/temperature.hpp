#pragma once

#include <genera/select.hpp>

namespace genera::select_detail {

/// The model at that temperature; the report has it, too.
[[nodiscard]] Fitted<Classifier> with_temperature(Fitted<Classifier> fitted,
                                                  const Calibration& found);

/// The notes of a report are also those of the model.
[[nodiscard]] Fitted<Classifier> with_notes_of_report(Fitted<Classifier> fitted);

}  // namespace genera::select_detail
