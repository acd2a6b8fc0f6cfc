#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include <genera/random.hpp>
#include <genera/types.hpp>

namespace genera::kernel {

/// Draws one of several things with given probabilities, which need not sum to one.
class Choice {
 public:
  explicit Choice(std::span<const double> probabilities) {
    double sum = 0;
    for (const double p : probabilities) sums_.push_back(sum += p);
  }
  [[nodiscard]] Index draw(Rng& rng) const {
    const double u = rng.uniform() * sums_.back();
    const auto found = std::upper_bound(sums_.begin(), sums_.end(), u);
    return std::min<Index>(found - sums_.begin(), std::ssize(sums_) - 1);
  }

 private:
  Vector sums_;  // cumulative
};

/// Draws which of many independent things happen, in time proportional to how many do: things of
/// similar probability are skipped through together and thinned.
class ManyCoins {
 public:
  explicit ManyCoins(std::span<const double> probabilities);

  /// Calls `hit` with the number of each thing that happens.
  template <class Hit>
  void draw(Rng& rng, Hit hit) const {
    for (const Group& group : groups_) {
      const auto size = static_cast<double>(group.members.size());
      const double log_miss = std::log1p(-std::min(group.bound, 1.0));  // -inf if all happen
      double next = 0;
      while (true) {
        next += std::floor(std::log1p(-rng.uniform()) / log_miss);  // misses before the next
        if (!(next < size)) break;
        const Index i = group.members[static_cast<std::size_t>(next)];
        if (rng.uniform() * group.bound < probabilities_[static_cast<std::size_t>(i)]) hit(i);
        next += 1;
      }
    }
  }

 private:
  struct Group {
    double bound;  // the largest probability in it
    std::vector<Index> members;
  };
  std::vector<Group> groups_;
  Vector probabilities_;
};

/// One for each row of a table of probabilities.
template <class Thing>
[[nodiscard]] std::vector<Thing> for_each_row(const Matrix& probabilities) {
  std::vector<Thing> things;
  for (Index k = 0; k < probabilities.rows(); ++k) things.emplace_back(probabilities.row(k));
  return things;
}

}  // namespace genera::kernel
