#include <genera/error.hpp>

#include "blocks/levels/kind.hpp"

namespace genera::blocks {

void LevelsKind::refuse_unfit(const AvailableSums& kept, const Recipe& recipe) {
  if (recipe.discrete.joint || !kept.statistics.schema().joint || kept.statistics.levels().empty())
    return;
  throw Error(Errc::bad_argument,
              "the statistics count the columns jointly, which only the joint model can use",
              {"fit them with {}, or make others", {{"model", {"joint"}}}});
}

}  // namespace genera::blocks
