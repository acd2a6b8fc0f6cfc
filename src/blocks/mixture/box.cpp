#include "blocks/gaussian/box.hpp"
#include "blocks/mixture/kind.hpp"

namespace genera::blocks {

BoxTerms MixtureKind::box(const Block& block, Index k, const BoxQuestion& question) {
  return component_box(components_of(block), k, question);
}

}  // namespace genera::blocks
