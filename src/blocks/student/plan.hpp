#pragma once

#include "blocks/gaussian/plan.hpp"

namespace genera::blocks {

/// bqda: the sums and the leave-one-out densities are those of a Gaussian plan with a prior.
class StudentPlan : public BlockPlan {
 public:
  StudentPlan(GaussianFrame frame, const GaussianOptions& options)
      : gaussian_(std::move(frame), options), options_(options) {}

  [[nodiscard]] std::unique_ptr<BlockSums> no_sums() const override { return gaussian_.no_sums(); }
  [[nodiscard]] std::unique_ptr<BlockSums> read(const Statistics& statistics) const override {
    return gaussian_.read(statistics);
  }
  [[nodiscard]] std::unique_ptr<BlockSums> take(Statistics& statistics) const override {
    return gaussian_.take(statistics);
  }
  [[nodiscard]] Block estimate(const BlockSums& sums, const Estimating& how,
                               Report& report) const override;
  [[nodiscard]] std::unique_ptr<const LeaveOneOut> leave_one_out(
      const LeaveOneOutInput& input) const override {
    return gaussian_.leave_one_out(input);
  }
  /// t densities have no sufficient statistics.
  [[nodiscard]] bool statistics_tell_likelihood() const override { return false; }
  [[nodiscard]] double log_likelihood(const Block&, const BlockSums&) const override { return 0; }
  [[nodiscard]] double log_prior(const Block&, std::span<const CollapsePrior>) const override {
    return 0;
  }
  [[nodiscard]] double change(const Block& before, const Block& after) const override;

 private:
  GaussianPlan gaussian_;
  GaussianOptions options_;
};

}  // namespace genera::blocks
