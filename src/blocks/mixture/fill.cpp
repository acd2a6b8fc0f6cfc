#include "blocks/gaussian/fill.hpp"
#include "blocks/mixture/kind.hpp"

namespace genera::blocks {

RowLength MixtureKind::row_length(const Block&) { return RowLength::none; }

std::unique_ptr<LengthDraws> MixtureKind::length_draws(const Block&, std::span<const Index>) {
  return nullptr;
}

std::optional<std::vector<std::string>> MixtureKind::text_terms(const Block&) {
  return std::nullopt;
}

Layout MixtureKind::layout(const Block& block) {
  return {.numbers = block.dimension(), .patterned = true};
}

std::unique_ptr<const Filler> MixtureKind::filler(const Block& block, const FillRules&) {
  return component_filler(components_of(block));
}

/// The posterior of a mixture has no closed form.
bool MixtureKind::is_certain(const Block&) { return true; }
MixtureBlock MixtureKind::drawn(const Block& block, Rng&) { return block; }

std::vector<DistanceLaw> MixtureKind::distance_laws(const Block&, Index) { return {}; }

}  // namespace genera::blocks
