#include <cmath>

#include "blocks/levels/kind.hpp"

namespace genera::blocks {

/// Columns are independent within a class: what is known of others changes nothing.
kernel::LogProbability LevelsKind::box(const Block& block, Index k, const BoxQuestion& question) {
  kernel::LogProbability product;
  for (std::size_t j = 0; j < question.levels.size(); ++j) {
    if (question.levels[j] >= 0)
      product.log += std::log(block.parameters().probabilities[j](k, question.levels[j]));
  }
  return product;
}

}  // namespace genera::blocks
