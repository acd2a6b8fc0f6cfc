#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include <genera/random.hpp>
#include <genera/types.hpp>

namespace genera::kernel {

/// Draws an index with given probabilities, which need not sum to one.
class Choice {
 public:
  explicit Choice(std::span<const double> probabilities);

  /// The first index whose cumulative sum exceeds a uniform number. The search begins at a look-up
  /// table and takes one step on average.
  [[nodiscard]] Index draw(Rng& rng) const {
    const double share = rng.uniform(), u = share * sums_.back();
    const auto part = static_cast<std::size_t>(share * static_cast<double>(begins_.size()));
    auto i = static_cast<std::size_t>(begins_[std::min(part, begins_.size() - 1)]);
    while (i + 1 < sums_.size() && !(sums_[i] > u)) ++i;
    return static_cast<Index>(i);
  }

 private:
  Vector sums_;  // cumulative
  /// for equal parts of the total: the index at which each begins
  std::vector<std::int32_t> begins_;
};

/// Draws the subset of many independent events that occur, in time proportional to the size of the
/// subset: events of similar probability are skipped together and thinned.
class ManyCoins {
 public:
  explicit ManyCoins(std::span<const double> probabilities);

  /// Calls `hit` with the index of each event that occurs.
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
    double bound;  // the largest probability in the group
    std::vector<Index> members;
  };
  std::vector<Group> groups_;
  Vector probabilities_;
};

/// One object for each row of a table of probabilities.
template <class Thing>
[[nodiscard]] std::vector<Thing> for_each_row(const Matrix& probabilities) {
  std::vector<Thing> things;
  for (Index k = 0; k < probabilities.rows(); ++k) things.emplace_back(probabilities.row(k));
  return things;
}

}  // namespace genera::kernel
