#include "query/explain/largest.hpp"

#include <algorithm>
#include <cmath>

namespace genera::query {

double keep_largest(Shares& shares, Index max, By by,
                    const std::function<std::string(const BlockShare&)>& name,
                    std::vector<Evidence>& evidence) {
  const auto size = [&](const BlockShare& s) {
    return by == By::size ? std::abs(s.share.log_odds) : s.share.log_odds;
  };
  const auto before = [&](const BlockShare& a, const BlockShare& b) {
    return size(a) != size(b) ? size(a) > size(b) : name(a) < name(b);
  };
  const Index kept = std::clamp<Index>(max, 0, std::ssize(shares));
  std::partial_sort(shares.begin(), shares.begin() + kept, shares.end(), before);
  for (auto s = shares.begin(); s < shares.begin() + kept; ++s)
    evidence.push_back({name(*s), s->share.log_odds});
  double rest = 0;
  for (auto s = shares.begin() + kept; s < shares.end(); ++s) rest += s->share.log_odds;
  return rest;
}

}  // namespace genera::query
