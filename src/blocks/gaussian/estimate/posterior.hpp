#pragma once

#include <genera/blocks.hpp>
#include <genera/random.hpp>

namespace genera::blocks {

/// Means and covariances drawn from their posterior, with the counts as numbers of rows. The counts
/// must not be empty.
[[nodiscard]] GaussianParameters draw_gaussian(const GaussianParameters& estimated, Rng& rng);

}  // namespace genera::blocks
