#include <vector>

#include "blocks/joint/kind.hpp"
#include "blocks/joint/table.hpp"

namespace genera::blocks {

BoxTerms JointKind::box(const Block& block, Index k, const BoxQuestion& question) {
  std::vector<std::int32_t> both(question.known_levels.begin(), question.known_levels.end());
  for (std::size_t j = 0; j < both.size(); ++j) {
    if (question.levels[j] >= 0) both[j] = question.levels[j];
  }
  return exactly(block.density().log_probability(k, both) -
                 block.density().log_probability(k, question.known_levels));
}

}  // namespace genera::blocks
