#pragma once

#include <memory>

#include "fit/em/em.hpp"

namespace genera::fit_detail {

/// Where EM ended.
struct EmFit {
  std::unique_ptr<Plan> plan;
  Model model;    ///< by the divisor that was asked for
  PlanSums sums;  ///< that it was estimated from
  Report report;
};

/// Maximum likelihood of rows of which numbers, cells of a joint table or labels are missing, under
/// missing-at-random. Starts from what is observed, column by column. Throws Error (bad_data) if a
/// class has no value in a column, or if no row has a label; and whatever an estimate throws.
[[nodiscard]] EmFit fit_by_em(const Rows& rows, const Recipe& recipe, const FitOptions& options,
                              const Control& control);

/// "3 missing numbers are marginalised by EM".
[[nodiscard]] std::string missing_numbers_text(Index count);

/// What is said of an EM that learned from rows with holes or without labels.
void report_em(const Em& em, const LatentRows& rows, const FitOptions& options, Report& report);

}  // namespace genera::fit_detail
