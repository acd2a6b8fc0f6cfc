#pragma once

#include <string>

#include "fit/em/iteration.hpp"
#include "fit/em/start.hpp"

namespace genera::fit_detail {

/// "3 missing numbers are marginalised by EM".
[[nodiscard]] std::string missing_numbers_text(Index count);

/// Adds the notes of an EM that used missing values or labels.
void report_em(const EmIteration& em, double unlabelled_weight, Report& report);

/// The final model, with the requested divisor, and its report.
[[nodiscard]] Fitted<Model> last_estimate(const EmStart& from, const EmIteration& em, int threads);

/// Whether `informed` needs the patterns of the rows.
[[nodiscard]] bool uses_patterns(const Plan& plan);
/// Adds the information of the rows about each class to the model.
[[nodiscard]] Model informed(const Plan& plan, const Model& model, const PatternMaps& patterns);

}  // namespace genera::fit_detail
