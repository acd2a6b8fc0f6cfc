#pragma once

#include <optional>
#include <span>

#include "blocks/gaussian/estimate/estimate_input.hpp"
#include "blocks/plan.hpp"

namespace genera::blocks {

/// Priors for covariances that would collapse: (W + rows D^2) / (n + rows), as with additional rows
/// that have these variances and no correlations.
struct VariancePriors {
  std::span<const CollapsePrior> of{};  ///< one per covariance; may be shorter
  std::span<const double> variances{};
};

/// Optional inputs of an estimate besides the sums.
struct GaussianExtras {
  const Vector* fourth = nullptr;  ///< for Ledoit-Wolf, K
  VariancePriors priors{};
};

/// Estimates the parameters from sums, for every structure. Adds adjustments beyond the formulas to
/// `report`.
[[nodiscard]] GaussianParameters estimate_gaussian(const GaussianInput& input,
                                                   const GaussianOptions& options,
                                                   const GaussianExtras& extras, Report& report);

/// Inputs of the target of rda for one column.
struct TargetColumn {
  double variance;  ///< of the covariance to shrink
  double min;       ///< the floor
  double total;     ///< around the grand mean
};
/// T_k of rda: the floored variances, or their mean on columns divided by their total deviation.
[[nodiscard]] Vector simple_target(std::span<const TargetColumn> columns,
                                   const GaussianOptions& options);

/// The same without notes, for trials: empty if the estimate is impossible.
struct TriedEstimate {
  GaussianParameters parameters;
  Report report;
};
[[nodiscard]] std::optional<TriedEstimate> try_estimate(const GaussianInput& input,
                                                        const GaussianOptions& options,
                                                        const GaussianExtras& extras);

/// Whether the estimate is possible.
[[nodiscard]] bool can_estimate(const GaussianInput& input, const GaussianOptions& options,
                                const GaussianExtras& extras);

}  // namespace genera::blocks
