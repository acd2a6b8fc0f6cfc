#pragma once

#include <memory>
#include <string>
#include <vector>

#include <genera/fit.hpp>

#include "blocks/plan.hpp"

namespace genera::fit_detail {

/// A model to be: what its blocks are about is fixed.
struct Plan {
  std::vector<std::string> classes;
  std::string target;
  PriorChoice priors;
  blocks::BlockPlans blocks;
};

/// Columns that say nothing are reported; perhaps nothing is left.
[[nodiscard]] Plan plan_of(const Statistics& statistics, const Recipe& recipe, Report& report);

/// Throws Error (bad_model) if nothing is left.
void require_blocks(const Plan& plan, const Statistics& statistics, const std::vector<Note>& notes);

/// The sums of all blocks.
struct PlanSums {
  std::vector<std::unique_ptr<blocks::BlockSums>> blocks;
  Vector class_weights;

  PlanSums() = default;
  /// Of no row.
  explicit PlanSums(const Plan& plan);
  PlanSums(const Plan& plan, const Statistics& statistics);
  PlanSums(const Plan& plan, Statistics&& statistics);
  [[nodiscard]] PlanSums clone() const;
  /// Adds the sums of other rows; blocks and weights that those lack stay as they are.
  void add(const PlanSums& other);
  /// All of them as numbers that are linear in the rows; see BlockSums::write.
  [[nodiscard]] Vector coordinates() const;
};

/// The one way from sums to a model. `how.priors` is given for each block apart.
using CollapsePriors = std::vector<std::vector<blocks::CollapsePrior>>;
[[nodiscard]] Model estimate_model(const Plan& plan, const PlanSums& sums, blocks::Estimating how,
                                   const CollapsePriors& priors, Report& report);

}  // namespace genera::fit_detail
