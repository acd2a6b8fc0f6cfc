#pragma once

#include "blocks/box.hpp"
#include "blocks/gaussian/missing/completion.hpp"

namespace genera::blocks {

/// P(box | what is known) of class k.
[[nodiscard]] BoxTerms component_box(const ClassComponents& components, Index k,
                                     const BoxQuestion& question);

}  // namespace genera::blocks
