#pragma once

#include <span>

#include <genera/softmax.hpp>

#include "fit/linear/newton.hpp"
#include "sums/collect.hpp"

namespace genera::fit_detail {

/// Throws Error (bad_data) if values are missing, because a conditional likelihood cannot
/// marginalise features, or if some rows lack a label.
void refuse_missing(const sums::Summary& summary);

/// Adds the sums that these statistics lack, from the `usable` rows from which they were collected.
[[nodiscard]] SoftmaxStatistics softmax_statistics(const Rows& rows, std::span<const Index> usable,
                                                   Statistics statistics);

/// The plan, whose report begins with `report`.
[[nodiscard]] SoftmaxPlan make_plan(const SoftmaxStatistics& statistics,
                                    const LogisticOptions& options, Report report);

/// The result of Newton's method.
struct Solution {
  Minimum minimum;
  Vector class_weights{};
  Vector means{};  ///< subtracted from the features, in units of their scales
};

/// The model in the units of the columns.
[[nodiscard]] Fitted<LinearModel> model_of(const SoftmaxPlan& plan, const Solution& solution,
                                           int threads);

}  // namespace genera::fit_detail
