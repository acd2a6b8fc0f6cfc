#pragma once

#include <memory>

#include "fit/em/finish.hpp"

namespace genera::fit_detail {

/// Where EM ended.
struct EmFit {
  std::unique_ptr<Plan> plan;
  Model model;    ///< by the divisor that was asked for
  PlanSums sums;  ///< that it was estimated from
  Report report;
  CollapsePriors priors;
};

/// A model near the one that is sought, such as that of one more row, and how near EM must come.
struct WarmStart {
  const Model& model;
  double tolerance;
};

/// Maximum likelihood of rows of which numbers, cells of a joint table or labels are missing, under
/// missing-at-random. Starts from what is observed, column by column. Throws Error (bad_data) if a
/// class has no value in a column, or if no row has a label; and whatever an estimate throws.
[[nodiscard]] EmFit fit_by_em(const LearnedRows& rows, const Recipe& recipe,
                              const FitOptions& options, const Control& control);
/// The same from a model that is near, if it is about the same levels and terms; how much the rows
/// say of it is left out, and so is whatever a report has for people.
[[nodiscard]] Model fit_by_em(const LearnedRows& rows, const Recipe& recipe,
                              const FitOptions& options, const WarmStart& near);

}  // namespace genera::fit_detail
