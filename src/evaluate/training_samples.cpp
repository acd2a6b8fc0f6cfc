#include "evaluate/training_samples.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "kernel/index.hpp"

namespace genera::curves_detail {
namespace {

using kernel::at;

/// Partial Fisher-Yates shuffle: the first `count` elements become a simple random sample, whatever
/// the previous order.
void draw_first(Order& order, Index count, Rng& rng) {
  for (std::size_t i = 0; i < at(count); ++i) {
    const auto left = static_cast<double>(order.size() - i);
    std::swap(order[i], order[i + static_cast<std::size_t>(rng.uniform() * left)]);
  }
}

/// Smallest number of leading rows that contain every class.
Index rows_with_all_classes(const Order& order, const Population& population) {
  std::vector<char> seen(population.classes.size());
  std::size_t missing = seen.size();
  for (std::size_t i = 0; i < order.size(); ++i) {
    char& known = seen[at(population.truths[at(order[i])])];
    if (known) continue;
    known = 1;
    if (--missing == 0) return static_cast<Index>(i) + 1;
  }
  return std::ssize(order) + 1;
}

[[noreturn]] void refuse_rare(const Population& population, Index size, Index draws) {
  const auto rarest = std::ranges::min_element(population.counts) - population.counts.begin();
  throw Error(
      Errc::bad_data,
      fmt::format("none of {} of {} had a row of each class; '{}' has {} of the {} rows",
                  counted(draws, "sample"), counted(size, "row"), population.classes[at(rarest)],
                  population.counts[at(rarest)], population.rows()),
      {"use larger {}, or compare some of the classes only with {}", {{"sizes"}, {"classes"}}});
}

}  // namespace

TrainingSamples::TrainingSamples(const Population& population, std::span<const Index> sizes,
                                 const Rng& rng, Index max_draws)
    : nested_(population.truths.size()), redrawn_(sizes.size()) {
  std::iota(nested_.begin(), nested_.end(), Index{0});
  Rng first = rng.split(0);
  draw_first(nested_, population.rows(), first);
  const Index enough = rows_with_all_classes(nested_, population);
  for (std::size_t s = 0; s < sizes.size() && sizes[s] < enough; ++s) {
    Order order = nested_;
    Rng own = rng.split(s + 1);
    do {
      if (++redrawn_[s] >= max_draws) refuse_rare(population, sizes[s], max_draws);
      draw_first(order, sizes[s], own);
    } while (rows_with_all_classes(order, population) > sizes[s]);
    own_.push_back(std::move(order));
  }
}

}  // namespace genera::curves_detail
