#include "kernel/choice.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace genera::choice_test {
namespace {

/// By its law: the first thing whose cumulative sum is above the uniform number.
Index by_law(const Vector& probabilities, Rng rng) {
  Vector sums;
  double sum = 0;
  for (const double p : probabilities) sums.push_back(sum += p);
  const double u = rng.uniform() * sums.back();
  const auto found = std::upper_bound(sums.begin(), sums.end(), u);
  return std::min<Index>(found - sums.begin(), std::ssize(sums) - 1);
}

TEST(Choice, IsThatOfTheCumulativeSums) {
  Rng make(5);
  std::vector<Vector> tables{{1}, {0, 0, 3}, {1e-300, 1}, {1, 0, 0, 1e-17, 0}, Vector(1000, 0.001)};
  for (const int size : {7, 100, 4000}) {
    Vector skew;
    for (int i = 0; i < size; ++i)
      skew.push_back(make.uniform() < 0.3 ? 0 : std::exp(20 * make.normal()));
    skew.push_back(1);
    tables.push_back(skew);
  }
  for (const Vector& probabilities : tables) {
    const kernel::Choice choice(probabilities);
    for (std::uint64_t i = 0; i < 5000; ++i) {
      Rng rng = Rng(1).split(i);
      const Index expected = by_law(probabilities, rng);
      ASSERT_EQ(choice.draw(rng), expected);
      ASSERT_GT(probabilities[static_cast<std::size_t>(expected)], 0);
    }
  }
}

}  // namespace
}  // namespace genera::choice_test
