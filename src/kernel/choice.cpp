#include "kernel/choice.hpp"

namespace genera::kernel {

Choice::Choice(std::span<const double> probabilities) : begins_(probabilities.size()) {
  double sum = 0;
  for (const double p : probabilities) sums_.push_back(sum += p);
  // Begins slightly earlier, so that rounding puts no uniform number before its part.
  constexpr double earlier = 1 - 1e-12;
  std::size_t i = 0;
  for (std::size_t part = 0; part < begins_.size(); ++part) {
    const double begin = sum * (static_cast<double>(part) / static_cast<double>(begins_.size()));
    while (i + 1 < sums_.size() && !(sums_[i] > begin * earlier)) ++i;
    begins_[part] = static_cast<std::int32_t>(i);
  }
}

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
