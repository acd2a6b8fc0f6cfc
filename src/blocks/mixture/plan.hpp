#pragma once

#include <optional>
#include <vector>

#include "blocks/gaussian/plan.hpp"

namespace genera::blocks {

/// What keeps the components of a class regular, from the plain model of the same structure.
struct ComponentScale {
  Matrix reference;       ///< d x d, positive definite: components vary at least a part of it
  Vector unit{};          ///< d: the variance that counts as one for spherical and centroid
  Vector variances{};     ///< d: pooled within classes
  Vector min_variance{};  ///< d: of diagonal structures
  /// Every covariance is estimated as if there were this many more rows with the pooled variances
  /// and no correlations. One component is then shrunk as the plain model is if it is singular.
  double prior_rows = 0;
};
/// That of class k, from the sums of the plain model, and its parameters.
[[nodiscard]] ComponentScale component_scale(const GaussianInput& input,
                                             const GaussianParameters& plain, std::size_t k);

/// Mixtures to be: the columns of a frame, and the class of each component. Their estimate is that
/// of any Gaussian block, but never singular: a covariance that collapses is moved towards the
/// reference of its class by the least amount that makes every eigenvalue of
/// reference^-1 covariance at least the variance floor. That is reported as Outcome::degenerate.
/// One component in each class is the plain model of the same structure.
class MixturePlan : public BlockPlan {
 public:
  /// `component_class`: the class of each component, ascending; `scales`: of each class.
  MixturePlan(GaussianFrame frame, const GaussianOptions& options,
              std::vector<Index> component_class, std::vector<ComponentScale> scales);

  [[nodiscard]] std::unique_ptr<BlockSums> no_sums() const override;
  /// Statistics do not know components.
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

/// The mixtures of a block that such a plan has made; and the block of mixtures.
[[nodiscard]] const MixtureParameters& mixtures_of(const Block& block);
[[nodiscard]] Block block_of(MixtureParameters mixtures);

/// The share of a component that lost its rows: it takes part in no sum, and never comes back.
inline constexpr double emptied_weight = 1e-300;

}  // namespace genera::blocks
