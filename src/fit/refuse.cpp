#include "fit/refuse.hpp"

#include "blocks/kinds.hpp"
#include "fit/mixture/components.hpp"

namespace genera::fit_detail {
void validate(const Recipe& recipe) {
  genera::validate(recipe.gaussian);
  genera::validate(recipe.discrete);
  if (!recipe.mixture) return;
  genera::validate(*recipe.mixture);
  refuse_for_mixtures(recipe.gaussian);
}

void refuse_missing(const Recipe& recipe) {
  blocks::for_each_kind([&](auto kind) { kind.refuse_missing(recipe); });
}

void refuse_without_rows(const Recipe& recipe) {
  blocks::for_each_kind([&](auto kind) { kind.refuse_without_rows(recipe); });
}

void refuse_unfit(const Statistics& statistics, const Recipe& recipe,
                  const std::optional<FourthMoments>& fourth) {
  const blocks::AvailableSums kept{statistics, fourth ? &*fourth : nullptr};
  blocks::for_each_kind([&](auto kind) { kind.refuse_unfit(kept, recipe); });
}

}  // namespace genera::fit_detail
