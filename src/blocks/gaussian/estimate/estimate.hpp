#pragma once

#include <optional>
#include <span>

#include "blocks/gaussian/estimate/estimate_input.hpp"
#include "blocks/plan.hpp"

namespace genera::blocks {

/// Priors for covariances that would collapse: as if rows of their weight had these variances and
/// no correlations, (W + rows D^2) / (n + rows).
struct VariancePriors {
  std::span<const CollapsePrior> of{};  ///< each covariance; may be fewer
  std::span<const double> variances{};
};

/// What an estimate may take besides the sums.
struct GaussianExtras {
  const Vector* fourth = nullptr;  ///< for Ledoit-Wolf, of each class
  VariancePriors priors{};
};

/// Sums -> parameters, for every structure. What was done beyond the formulas is added
/// to `report`.
[[nodiscard]] GaussianParameters estimate_gaussian(const GaussianInput& input,
                                                   const GaussianOptions& options,
                                                   const GaussianExtras& extras, Report& report);

/// What the target of rda is made of, column by column.
struct TargetColumn {
  double variance;  ///< of the covariance that is moved
  double min;       ///< the floor
  double total;     ///< around the grand mean
};
/// T_k of rda: the variances, floored, or their mean on columns divided by their total deviation.
[[nodiscard]] Vector simple_target(std::span<const TargetColumn> columns,
                                   const GaussianOptions& options);

/// The same where nobody reads what is said: empty if it cannot be done, a report without notes.
struct TriedEstimate {
  GaussianParameters parameters;
  Report report;
};
[[nodiscard]] std::optional<TriedEstimate> try_estimate(const GaussianInput& input,
                                                        const GaussianOptions& options,
                                                        const GaussianExtras& extras);

/// Whether that can be done.
[[nodiscard]] bool can_estimate(const GaussianInput& input, const GaussianOptions& options,
                                const GaussianExtras& extras);

}  // namespace genera::blocks
