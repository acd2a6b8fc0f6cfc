#pragma once

#include <genera/blocks.hpp>
#include <genera/random.hpp>

namespace genera::blocks {

/// Means and covariances drawn from their posterior, given rows as many as the counts say. They
/// must not be empty.
[[nodiscard]] GaussianParameters draw_gaussian(const GaussianParameters& estimated, Rng& rng);

}  // namespace genera::blocks
