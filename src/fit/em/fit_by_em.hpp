#pragma once

#include <memory>

#include "fit/em/finish.hpp"

namespace genera::fit_detail {

/// The result of EM.
struct EmFit {
  std::unique_ptr<Plan> plan;
  Model model;    ///< with the requested divisor
  PlanSums sums;  ///< from which the model was estimated
  Report report;
  CollapsePriors priors;
};

/// A model close to the solution, such as that of one row more, and the tolerance of EM.
struct WarmStart {
  const Model& model;
  double tolerance;
};

/// Maximum likelihood with missing numbers, cells of joint tables or labels, under
/// missing-at-random. Starts from the available cases of each column. Throws Error (bad_data) if a
/// class has no value in a column or if no row has a label, and the errors of the estimates.
[[nodiscard]] EmFit fit_by_em(const LearnedRows& rows, const Recipe& recipe,
                              const FitOptions& options, const Control& control);
/// The same, starting from a close model if it has the same levels and terms. Returns neither
/// effective counts nor a report.
[[nodiscard]] Model fit_by_em(const LearnedRows& rows, const Recipe& recipe,
                              const FitOptions& options, const WarmStart& near);

}  // namespace genera::fit_detail
