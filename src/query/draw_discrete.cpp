#include "query/draw_discrete.hpp"

#include <algorithm>
#include <cmath>

namespace genera::query {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

template <class Thing>
std::vector<Thing> for_each_class(const Matrix& probabilities) {
  std::vector<Thing> things;
  for (Index k = 0; k < probabilities.rows(); ++k) things.emplace_back(probabilities.row(k));
  return things;
}

}  // namespace

Choice::Choice(std::span<const double> probabilities) {
  double sum = 0;
  for (const double p : probabilities) sums_.push_back(sum += p);
}

Index Choice::draw(Rng& rng) const {
  const double u = rng.uniform() * sums_.back();
  const auto found = std::upper_bound(sums_.begin(), sums_.end(), u);
  return std::min<Index>(found - sums_.begin(), std::ssize(sums_) - 1);
}

ManyCoins::ManyCoins(std::span<const double> probabilities)
    : probabilities_(probabilities.begin(), probabilities.end()) {
  std::vector<Index> order;
  for (Index i = 0; i < std::ssize(probabilities_); ++i) {
    if (probabilities_[at(i)] > 0) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return probabilities_[at(a)] > probabilities_[at(b)]; });
  for (const Index i : order) {
    if (groups_.empty() || probabilities_[at(i)] < groups_.back().bound / 2)
      groups_.push_back({probabilities_[at(i)], {}});
    groups_.back().members.push_back(i);
  }
}

template <class Hit>
void ManyCoins::draw(Rng& rng, Hit hit) const {
  for (const Group& group : groups_) {
    const auto size = static_cast<double>(group.members.size());
    const double log_miss = std::log1p(-std::min(group.bound, 1.0));  // -inf if all happen
    double next = 0;
    while (true) {
      next += std::floor(std::log1p(-rng.uniform()) / log_miss);  // misses before the next
      if (!(next < size)) break;
      const Index i = group.members[static_cast<std::size_t>(next)];
      if (rng.uniform() * group.bound < probabilities_[at(i)]) hit(i);
      next += 1;
    }
  }
}

DiscreteDrawer::DiscreteDrawer(const Model& model) {
  for (const Block& block : model.blocks()) {
    if (const auto* levels = std::get_if<CategoricalBlock>(&block)) {
      Levels drawer;
      for (const Matrix& p : levels->parameters().probabilities)
        drawer.choices.push_back(for_each_class<Choice>(p));
      blocks_.emplace_back(std::move(drawer));
    }
    if (const auto* joint = std::get_if<JointBlock>(&block)) {
      Joint drawer{for_each_class<Choice>(joint->parameters().probabilities), {}};
      for (const auto& levels : joint->parameters().levels)
        drawer.levels.push_back(std::ssize(levels));
      blocks_.emplace_back(std::move(drawer));
    }
    if (const auto* counts = std::get_if<CountBlock>(&block)) {
      const CountParameters& p = counts->parameters();
      Counts drawer{.lengths = p.lengths};
      if (p.kind == CountParameters::Kind::bernoulli)
        drawer.coins = for_each_class<ManyCoins>(p.probabilities);
      else
        drawer.choices = for_each_class<Choice>(p.probabilities);
      blocks_.emplace_back(std::move(drawer));
    }
  }
}

DrawnCounts DiscreteDrawer::draw(Index k, Rng& rng) const {
  DrawnCounts drawn;
  for (const Drawer& block : blocks_)
    std::visit([&](const auto& from) { draw(from, k, rng, drawn); }, block);
  return drawn;
}

void DiscreteDrawer::draw(const Levels& from, Index k, Rng& rng, DrawnCounts& to) {
  for (const std::vector<Choice>& column : from.choices)
    to.codes.push_back(static_cast<std::int32_t>(column[at(k)].draw(rng)));
}

void DiscreteDrawer::draw(const Joint& from, Index k, Rng& rng, DrawnCounts& to) {
  Index cell = from.choices[at(k)].draw(rng);
  const std::size_t first = to.codes.size();
  to.codes.resize(first + from.levels.size());
  for (std::size_t j = from.levels.size(); j-- > 0; cell /= from.levels[j])
    to.codes[first + j] = static_cast<std::int32_t>(cell % from.levels[j]);
}

void DiscreteDrawer::draw(const Counts& from, Index k, Rng& rng, DrawnCounts& to) {
  auto& counts = to.counts.emplace_back();
  if (!from.coins.empty()) {
    from.coins[at(k)].draw(rng, [&](Index term) { counts.emplace_back(term, 1); });
    return;
  }
  const Index length = from.lengths.empty() ? 1 : std::llround(from.lengths[at(k)]);
  for (Index i = 0; i < length; ++i) counts.emplace_back(from.choices[at(k)].draw(rng), 1);
  std::sort(counts.begin(), counts.end());
  std::size_t last = 0;
  for (std::size_t i = 1; i < counts.size(); ++i) {
    if (counts[i].first == counts[last].first)
      counts[last].second += 1;
    else
      counts[++last] = counts[i];
  }
  if (!counts.empty()) counts.resize(last + 1);
}

}  // namespace genera::query
