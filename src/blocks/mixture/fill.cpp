#include "blocks/gaussian/fill.hpp"
#include "blocks/mixture/kind.hpp"

namespace genera::blocks {

Layout MixtureKind::layout(const Block& block) {
  return {.numbers = block.dimension(), .patterned = true};
}

std::unique_ptr<const Filler> MixtureKind::filler(const Block& block, const FillRules&) {
  return component_filler(components_of(block));
}

/// The posterior of a mixture has no closed form.
bool MixtureKind::is_certain(const Block&) { return true; }
MixtureBlock MixtureKind::drawn(const Block& block, Rng&) { return block; }

}  // namespace genera::blocks
