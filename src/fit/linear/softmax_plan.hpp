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

/// Where Newton's method ended, and what the features of the design were centred by.
struct Solution {
  Minimum minimum;
  Vector class_weights{};
  Vector centres{};  ///< subtracted from the features, in units of their scales
  Vector means{};    ///< of the features, in the same units
};

/// The model in the units of the columns.
[[nodiscard]] Fitted<LinearModel> model_of(const SoftmaxPlan& plan, const Solution& solution,
                                           int threads);

}  // namespace genera::fit_detail
