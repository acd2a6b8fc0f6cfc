#pragma once

#include <optional>
#include <vector>

#include "blocks/gaussian/plan.hpp"

namespace genera::blocks {

/// Bounds that keep the components of a class regular, from the plain model of the same structure.
struct ComponentScale {
  Matrix reference;    ///< d x d, positive definite: lower bound of covariances, up to the variance
                       ///< floor
  Vector unit{};       ///< d: unit of variances for spherical and centroid
  Vector variances{};  ///< d: pooled within classes
  Vector min_variance{};  ///< d: for diagonal structures
  /// Weight, in rows, of a prior on every covariance with the pooled variances and no correlations.
  /// With one component, a singular covariance is then shrunk as in the plain model.
  double prior_rows = 0;
};
/// For class k, from the sums of the plain model and its parameters.
[[nodiscard]] ComponentScale component_scale(const GaussianInput& input,
                                             const GaussianParameters& plain, std::size_t k);

/// Mixtures over the columns of a frame, with the class of each component. The estimate is that of
/// a Gaussian block, but never singular: a covariance that collapses is moved towards the reference
/// of its class until every eigenvalue of reference^-1 covariance is at least the variance floor.
/// This is reported as Outcome::degenerate. One component per class gives the plain model of the
/// same structure.
class MixturePlan : public BlockPlan {
 public:
  /// `component_class`: the class of each component, ascending; `scales`: one per class.
  MixturePlan(GaussianFrame frame, const GaussianOptions& options,
              std::vector<Index> component_class, std::vector<ComponentScale> scales);

  [[nodiscard]] std::unique_ptr<BlockSums> no_sums() const override;
  /// Statistics do not contain components.
  [[nodiscard]] std::unique_ptr<BlockSums> read(const Statistics& statistics) const override;
  [[nodiscard]] Block estimate(const BlockSums& sums, const Estimating& how,
                               Report& report) const override;
  [[nodiscard]] bool statistics_tell_likelihood() const override { return false; }
  [[nodiscard]] double log_likelihood(const Block& block, const BlockSums& sums) const override;
  [[nodiscard]] double log_prior(const Block& block,
                                 std::span<const CollapsePrior> priors) const override;
  [[nodiscard]] double change(const Block& before, const Block& after) const override;

 private:
  struct Step;
  [[nodiscard]] GaussianInput input_of(const std::vector<Moments>& moments, Step& step) const;
  [[nodiscard]] double rows_needed() const;
  [[nodiscard]] double prior_rows(std::size_t c) const;
  void add_priors(GaussianInput& input) const;
  [[nodiscard]] bool apply_floor(GaussianInput& input) const;
  [[nodiscard]] bool apply_floor_full(GaussianInput& input) const;
  [[nodiscard]] bool apply_floor_spherical(GaussianInput& input) const;

  GaussianFrame frame_;
  GaussianOptions options_;
  std::vector<Index> component_class_;
  std::vector<ComponentScale> scales_;
  double floor_;
};

/// The mixtures of a block made by such a plan.
[[nodiscard]] const MixtureParameters& mixtures_of(const Block& block);
[[nodiscard]] Block block_of(MixtureParameters mixtures);

/// The weight of an emptied component, which is excluded from all sums and never returns.
inline constexpr double emptied_weight = 1e-300;

}  // namespace genera::blocks
