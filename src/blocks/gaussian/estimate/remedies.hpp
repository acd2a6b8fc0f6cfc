#pragma once

#include <genera/error.hpp>

#include "blocks/gaussian/estimate/estimate.hpp"

namespace genera::blocks {

/// What helps against a covariance that has no inverse: only options with which these sums can be
/// estimated, each of which was tried.
[[nodiscard]] Advice remedies_for(const GaussianInput& input, const GaussianOptions& options,
                                  const GaussianExtras& extras);

/// The same where the components of a mixture would need the inverse.
[[nodiscard]] Advice remedies_for_mixture(const GaussianInput& input,
                                          const GaussianOptions& options);

/// The same for columns that are constant within every class.
[[nodiscard]] Advice remedies_for_constant_within(const GaussianInput& input,
                                                  const GaussianOptions& options,
                                                  const std::vector<Index>& columns);

}  // namespace genera::blocks
