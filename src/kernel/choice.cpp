#include "kernel/choice.hpp"

namespace genera::kernel {

ManyCoins::ManyCoins(std::span<const double> probabilities)
    : probabilities_(probabilities.begin(), probabilities.end()) {
  const auto probability = [&](Index i) { return probabilities_[static_cast<std::size_t>(i)]; };
  std::vector<Index> order;
  for (Index i = 0; i < std::ssize(probabilities_); ++i) {
    if (probability(i) > 0) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return probability(a) > probability(b); });
  for (const Index i : order) {
    if (groups_.empty() || probability(i) < groups_.back().bound / 2)
      groups_.push_back({probability(i), {}});
    groups_.back().members.push_back(i);
  }
}

}  // namespace genera::kernel
