#pragma once

#include <optional>
#include <span>

#include "blocks/gaussian/estimate_input.hpp"

namespace genera::blocks {

/// A prior for covariances that would collapse: as if rows of weight `rows` had these variances and
/// no correlations, (W + rows D^2) / (n + rows).
struct WeakPrior {
  static constexpr double rows = 2;
  std::span<const char> whose{};  ///< of each covariance: 1 where it is used
  std::span<const double> variances{};

  [[nodiscard]] bool of(std::size_t covariance) const {
    return covariance < whose.size() && whose[covariance] != 0;
  }
};

/// What an estimate may take besides the sums.
struct GaussianExtras {
  const Vector* fourth = nullptr;  ///< for Ledoit-Wolf, of each class
  WeakPrior weak{};
};

/// Sums -> parameters, for every member of the family. What was done beyond the formulas is added
/// to `report`.
[[nodiscard]] GaussianParameters estimate_gaussian(const GaussianInput& input,
                                                   const GaussianOptions& options,
                                                   const GaussianExtras& extras, Report& report);

/// What the target of rda is made of, column by column.
struct TargetColumn {
  double variance;  ///< of the covariance that is moved
  double least;     ///< the floor
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
