#pragma once

#include <genera/error.hpp>

#include "blocks/gaussian/estimate/estimate.hpp"

namespace genera::blocks {

/// Remedies for a covariance without an inverse: only options with which these sums can be
/// estimated; each was tried.
[[nodiscard]] Advice remedies_for(const GaussianInput& input, const GaussianOptions& options,
                                  const GaussianExtras& extras);

/// The same for the components of a mixture.
[[nodiscard]] Advice remedies_for_mixture(const GaussianInput& input,
                                          const GaussianOptions& options);

/// The same for columns that are constant within every class.
[[nodiscard]] Advice remedies_for_constant_within(const GaussianInput& input,
                                                  const GaussianOptions& options,
                                                  const std::vector<Index>& columns);

}  // namespace genera::blocks
