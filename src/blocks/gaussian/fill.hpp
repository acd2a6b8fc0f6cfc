#pragma once

#include <memory>

#include "blocks/fill.hpp"
#include "blocks/gaussian/missing/completion.hpp"

namespace genera::blocks {

/// Completes the numbers of mixtures of Gaussian components.
[[nodiscard]] std::unique_ptr<const Filler> component_filler(ClassComponents components);

}  // namespace genera::blocks
