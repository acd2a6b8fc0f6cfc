#pragma once

#include <string>

#include "fit/em/iteration.hpp"
#include "fit/em/start.hpp"

namespace genera::fit_detail {

/// "3 missing numbers are marginalised by EM".
[[nodiscard]] std::string missing_numbers_text(Index count);

/// What is said of an EM that learned from rows with missing values or labels.
void report_em(const EmIteration& em, double unlabelled_weight, Report& report);

/// The model at the end of EM, by the divisor that was asked for, and how it was learned.
[[nodiscard]] Fitted<Model> last_estimate(const EmStart& from, const EmIteration& em, int threads);

/// Whether `informed` needs the patterns of the rows.
[[nodiscard]] bool uses_patterns(const Plan& plan);
/// The model with how much the rows say of it.
[[nodiscard]] Model informed(const Plan& plan, const Model& model, const PatternMaps& patterns);

}  // namespace genera::fit_detail
