#include "blocks/student/plan.hpp"

#include "blocks/gaussian/estimate/prior_covariance.hpp"
#include "blocks/student/kind.hpp"
#include "kernel/index.hpp"
#include "sums/classes.hpp"

namespace genera::blocks {

using kernel::at;

Block StudentPlan::estimate(const BlockSums& sums, const Estimating&, Report& report) const {
  GaussianOptions options = options_;
  const GaussianInput input =
      pooled_gaussian_input(gaussian_.frame(), sums_as<ComponentSums>(sums).moments, options);
  options.bayesian = chosen_prior(input, *options.bayesian).options();
  StudentParameters p{.scales = estimate_gaussian(input, options, {}, report),
                      .prior_rows = *options.bayesian->prior_rows,
                      .prior_gamma = *options.bayesian->prior_gamma,
                      .counts = input.counts};
  p.scales.counts.clear();
  for (std::size_t k = 0; k < input.counts.size(); ++k) {
    const double n = input.counts[k];
    p.degrees.push_back(n + p.prior_rows);
    Matrix& scale = p.scales.covariances[k];
    for (Index i = 0; i < scale.rows(); ++i) {
      for (double& value : scale.row(i)) value *= 1 + 1 / n;
    }
  }
  return StudentBlock(std::move(p));
}

double StudentPlan::change(const Block& before, const Block& after) const {
  return change_between(block_as<StudentBlock>(before).parameters().scales,
                        block_as<StudentBlock>(after).parameters().scales);
}

BlockPlans StudentKind::plans(const PlanInput& input, Report& report) {
  BlockPlans plans;
  const GaussianOptions& options = input.recipe.gaussian;
  if (!options.bayesian || input.statistics.columns().empty()) return plans;
  GaussianFrame frame =
      gaussian_frame(input.statistics, sums::sorted_classes(input.statistics), options, report);
  if (!frame.columns.empty())
    plans.push_back(std::make_unique<StudentPlan>(std::move(frame), options));
  return plans;
}

}  // namespace genera::blocks
