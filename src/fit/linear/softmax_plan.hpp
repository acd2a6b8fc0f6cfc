#pragma once

#include <span>

#include <genera/softmax.hpp>

#include "fit/linear/newton.hpp"
#include "sums/collect.hpp"

namespace genera::fit_detail {

/// Throws Error (bad_data) if a value is missing: a conditional likelihood cannot marginalise
/// features. Some rows without a label among others are refused, too.
void refuse_missing(const sums::Summary& summary);

/// Adds to these statistics what they lack of the `usable` rows, from which they were collected.
[[nodiscard]] SoftmaxStatistics softmax_statistics(const Rows& rows, std::span<const Index> usable,
                                                   Statistics statistics);

/// The plan, whose report begins with `report`.
[[nodiscard]] SoftmaxPlan make_plan(const SoftmaxStatistics& statistics,
                                    const LogisticOptions& options, Report report);

/// Where Newton's method ended.
struct Solution {
  Minimum minimum;
  Vector class_weights{};
  Vector means{};  ///< by which the features were centred, in units of their scales
};

/// The model in the units of the columns.
[[nodiscard]] Fitted<LinearModel> model_of(const SoftmaxPlan& plan, const Solution& solution,
                                           int threads);

}  // namespace genera::fit_detail
