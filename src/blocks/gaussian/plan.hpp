#pragma once

#include "blocks/gaussian/estimate/estimate.hpp"
#include "blocks/gaussian/estimate/singular.hpp"
#include "blocks/plan.hpp"

namespace genera::blocks {

/// The plan of a Gaussian block.
class GaussianPlan : public BlockPlan {
 public:
  /// `sparse`: its columns are those of a sparse matrix.
  GaussianPlan(GaussianFrame frame, const GaussianOptions& options, bool sparse = false)
      : frame_(std::move(frame)), options_(options), sparse_(sparse) {}

  [[nodiscard]] const GaussianFrame& frame() const { return frame_; }
  [[nodiscard]] GaussianInput input(const BlockSums& sums) const {
    return gaussian_input(frame_, sums_as<ComponentSums>(sums).moments, options_);
  }

  [[nodiscard]] std::unique_ptr<BlockSums> no_sums() const override;
  [[nodiscard]] std::unique_ptr<BlockSums> read(const Statistics& statistics) const override;
  [[nodiscard]] std::unique_ptr<BlockSums> take(Statistics& statistics) const override;
  [[nodiscard]] bool complete_rows_are_statistics() const override { return !sparse_; }
  [[nodiscard]] Block estimate(const BlockSums& sums, const Estimating& how,
                               Report& report) const override;
  [[nodiscard]] std::unique_ptr<const LeaveOneOut> leave_one_out(
      const LeaveOneOutInput& input) const override;
  [[nodiscard]] double log_likelihood(const Block& block, const BlockSums& sums) const override;
  /// False for shrunk covariances: they need another factor, which costs more than the estimate if
  /// there are many columns.
  [[nodiscard]] bool statistics_tell_likelihood() const override {
    constexpr Index many_columns = 256;
    const bool moved = options_.shrinkage.kind != Shrinkage::Kind::none ||
                       options_.rda.has_value() || options_.on_singular == OnSingular::shrink;
    return !moved || !is_full(options_.covariance) || frame_.dimension() <= many_columns;
  }
  [[nodiscard]] double log_prior(const Block& block,
                                 std::span<const CollapsePrior> priors) const override;
  [[nodiscard]] double change(const Block& before, const Block& after) const override;
  [[nodiscard]] Index pattern_columns() const override { return frame_.dimension(); }
  [[nodiscard]] Block informed(Block block, std::span<const PatternWeight> rows) const override;
  [[nodiscard]] std::vector<CollapsePrior> collapsing(
      const Block& block, const BlockSums& complete,
      std::span<const double> labelled) const override;

 private:
  /// The prior of a covariance with enough complete rows that are singular. `rows`: the weight of
  /// all its labelled rows.
  [[nodiscard]] CollapsePrior prior_of_singular(const SingularCase& found,
                                                const std::vector<Moments>& complete,
                                                double rows) const;

  GaussianFrame frame_;
  GaussianOptions options_;
  bool sparse_;
};

/// The index of the plan of the numbers among all plans.
[[nodiscard]] std::optional<std::size_t> gaussian_place(const BlockPlans& plans);
[[nodiscard]] const GaussianPlan& gaussian_plan(const BlockPlan& plan);
[[nodiscard]] const GaussianParameters& parameters_of(const Block& block);
[[nodiscard]] Block block_of(GaussianParameters parameters);

/// The largest change of a mean, in deviations, or of a covariance, as L^-1 (S' - S) L^-T.
[[nodiscard]] double change_between(const GaussianParameters& before,
                                    const GaussianParameters& after);

}  // namespace genera::blocks
