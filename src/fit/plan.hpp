#pragma once

#include <memory>
#include <string>
#include <vector>

#include <genera/fit.hpp>

#include "blocks/plan.hpp"

namespace genera::fit_detail {

/// The blocks of a model and their features, before estimation.
struct Plan {
  std::vector<std::string> classes;
  std::string target;
  PriorChoice priors;
  blocks::BlockPlans blocks;
};

/// Reports columns without information. The plan may be empty.
[[nodiscard]] Plan plan_of(const Statistics& statistics, const Recipe& recipe, Report& report);

/// Throws Error (bad_model) if the plan has no blocks.
void require_blocks(const Plan& plan, const Statistics& statistics, const std::vector<Note>& notes);

/// The sums of all blocks.
struct PlanSums {
  std::vector<std::unique_ptr<blocks::BlockSums>> blocks;
  Vector class_weights;

  PlanSums() = default;
  /// The sums of no rows.
  explicit PlanSums(const Plan& plan);
  PlanSums(const Plan& plan, const Statistics& statistics);
  PlanSums(const Plan& plan, Statistics&& statistics);
  [[nodiscard]] PlanSums clone() const;
  /// Adds the sums of other rows; blocks and weights that `other` lacks do not change.
  void add(const PlanSums& other);
  /// All sums as numbers that are linear in the rows; see BlockSums::write.
  [[nodiscard]] Vector coordinates() const;
};

/// Estimates the model from its sums. `how.priors` is given for each block separately.
using CollapsePriors = std::vector<std::vector<blocks::CollapsePrior>>;
[[nodiscard]] Model estimate_model(const Plan& plan, const PlanSums& sums, blocks::Estimating how,
                                   const CollapsePriors& priors, Report& report);

}  // namespace genera::fit_detail
