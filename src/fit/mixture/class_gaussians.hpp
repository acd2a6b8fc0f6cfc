#pragma once

#include "blocks/mixture/plan.hpp"
#include "fit/em/fit_by_em.hpp"

namespace genera::fit_detail {

/// The start of a search for mixtures: one Gaussian per class, fitted to rows with or without
/// missing numbers and labels.
struct ClassGaussians {
  std::unique_ptr<Plan> plan;
  PlanSums sums;
  std::optional<GaussianParameters> model;  ///< if values are missing: gives their expectations
  Report report;
  std::vector<blocks::CollapsePrior> priors{};  ///< priors of its covariances that EM needed
  std::optional<std::size_t>
      place{};  ///< index of the Gaussian block; empty: all columns are constant

  [[nodiscard]] const blocks::GaussianPlan& gaussian() const {
    return blocks::gaussian_plan(*plan->blocks[*place]);
  }
  [[nodiscard]] blocks::GaussianInput input() const {
    return gaussian().input(*sums.blocks[*place]);
  }
};

/// From statistics of complete rows.
[[nodiscard]] ClassGaussians class_gaussians(const Statistics& statistics, const Recipe& recipe);
/// By EM.
[[nodiscard]] ClassGaussians class_gaussians(const Rows& rows, const Recipe& recipe,
                                             const FitOptions& options, const Control& control);

/// The frame restricted to one class.
[[nodiscard]] blocks::GaussianFrame frame_of_class(const blocks::GaussianFrame& frame,
                                                   std::size_t k, Index rows);

/// The labelled rows by class, in the order of the plan.
[[nodiscard]] std::vector<std::vector<Index>> rows_by_class(const Rows& rows, const Plan& plan);

/// The numbers of these rows of class k; missing ones are replaced by their expectations.
[[nodiscard]] Matrix completed_numbers(const ClassGaussians& one, std::size_t k, const Rows& rows);

}  // namespace genera::fit_detail
