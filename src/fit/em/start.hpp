#pragma once

#include <memory>
#include <string>

#include <genera/em.hpp>

#include "fit/plan.hpp"

namespace genera::fit_detail {

/// The start of EM: a function of statistics, recipe and options.
struct EmStart {
  std::unique_ptr<Plan> plan;
  PlanSums sums;  ///< from which the first model is estimated
  Model model;
  double unlabelled_weight = 0;
  Index rows = 0;     ///< used by EM
  double weight = 0;  ///< of these rows in the fit
  Report report{};    ///< notes on classes and on columns without values
  Report of_plan{};   ///< notes on columns that the plan leaves out
};

/// Throws Error (bad_data) if no row has a label, and the errors of plans and estimates.
[[nodiscard]] EmStart em_start(const ObservedStatistics& observed, const Recipe& recipe,
                               const FitOptions& options, int threads);

/// Options of the M-step; `maximum_likelihood` overrides the divisor.
[[nodiscard]] blocks::Estimating estimating(bool maximum_likelihood, int threads);

/// Whether two models have the same parameters, regardless of their values.
[[nodiscard]] bool same_parameters(const Model& a, const Model& b);

}  // namespace genera::fit_detail
