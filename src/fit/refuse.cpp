#include "fit/refuse.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "blocks/kinds.hpp"
#include "fit/mixture/components.hpp"

namespace genera::fit_detail {
void validate(const Recipe& recipe) {
  genera::validate(recipe.gaussian);
  genera::validate(recipe.discrete);
  if (recipe.mixture && recipe.kernel)
    throw Error(Errc::bad_argument, "a class cannot be a mixture and kernel densities at once",
                "leave one of the two out of the recipe");
  if (recipe.kernel) genera::validate(*recipe.kernel);
  if (recipe.mixture) genera::validate(*recipe.mixture);
  if (!recipe.mixture && !recipe.kernel) return;
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

void require_all_rows(double weight, double weight_of_plan) {
  constexpr double rounding = 1e-9;
  if (std::abs(weight - weight_of_plan) <= rounding * std::max(weight, weight_of_plan)) return;
  throw Error(Errc::bad_argument,
              fmt::format("the sums are of rows of weight {:g}, those of the plan have {:g}",
                          weight, weight_of_plan),
              "merge the sums of all partitions, each once");
}

}  // namespace genera::fit_detail
