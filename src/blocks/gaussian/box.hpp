#pragma once

#include "blocks/box.hpp"
#include "blocks/gaussian/missing/completion.hpp"

namespace genera::blocks {

/// P(box | known columns) in class k.
[[nodiscard]] BoxTerms component_box(const ClassComponents& components, Index k,
                                     const BoxQuestion& question);

}  // namespace genera::blocks
