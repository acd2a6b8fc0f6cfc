#pragma once

#include "blocks/mixture/plan.hpp"
#include "fit/em/fit_by_em.hpp"

namespace genera::fit_detail {

/// What a search for mixtures stands on: one Gaussian for each class, of rows of which numbers or
/// labels may be missing.
struct ClassGaussians {
  std::unique_ptr<Plan> plan;
  PlanSums sums;
  std::optional<GaussianParameters> model;  ///< if anything is missing: what it is expected to be
  Report report;
  std::vector<blocks::CollapsePrior> priors{};  ///< of its covariances, that EM needed
  std::optional<std::size_t> place{};  ///< of the Gaussian among the blocks; none: all is constant

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

/// The frame of one class alone.
[[nodiscard]] blocks::GaussianFrame frame_of_class(const blocks::GaussianFrame& frame,
                                                   std::size_t k, Index rows);

/// The numbers of these rows of class k, completed.
[[nodiscard]] Matrix completed_numbers(const ClassGaussians& one, std::size_t k, const Rows& rows);

}  // namespace genera::fit_detail
