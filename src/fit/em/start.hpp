#pragma once

#include <memory>
#include <string>

#include <genera/em.hpp>

#include "fit/plan.hpp"

namespace genera::fit_detail {

/// What an EM begins with: a function of statistics, recipe and options.
struct EmStart {
  std::unique_ptr<Plan> plan;
  PlanSums sums;  ///< that the first model is estimated from
  Model model;
  double unlabelled_weight = 0;
  Index rows = 0;     ///< that are learned from
  double weight = 0;  ///< theirs in the fit
  Report report{};    ///< of the classes and of columns without values
  Report of_plan{};   ///< of the columns that the plan leaves out
};

/// Throws Error (bad_data) if no row has a label, and whatever plans and estimates throw.
[[nodiscard]] EmStart em_start(const ObservedStatistics& observed, const Recipe& recipe,
                               const FitOptions& options, int threads);

/// How the M-step estimates: `maximum_likelihood` whatever divisor is asked for.
[[nodiscard]] blocks::Estimating estimating(bool maximum_likelihood, int threads);

/// Whether two models have the same parameters, whatever their values.
[[nodiscard]] bool same_parameters(const Model& a, const Model& b);

}  // namespace genera::fit_detail
