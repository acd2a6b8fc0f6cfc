#include <cmath>

#include "blocks/levels/kind.hpp"

namespace genera::blocks {

/// Columns are independent within a class, so known columns do not matter.
BoxTerms LevelsKind::box(const Block& block, Index k, const BoxQuestion& question) {
  double log = 0;
  for (std::size_t j = 0; j < question.levels.size(); ++j) {
    if (question.levels[j] >= 0)
      log += std::log(block.parameters().probabilities[j](k, question.levels[j]));
  }
  return exactly(log);
}

}  // namespace genera::blocks
