#include "evaluate/training_samples.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "support/problems.hpp"

namespace genera::training_samples_test {
namespace {

using curves_detail::Order;
using curves_detail::Population;
using curves_detail::TrainingSamples;
using testing::error_of;

Population population(const std::vector<Index>& counts) {
  Population all;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    all.classes.push_back(std::string(1, static_cast<char>('a' + k)));
    all.counts.push_back(counts[k]);
    all.truths.insert(all.truths.end(), static_cast<std::size_t>(counts[k]),
                      static_cast<std::int32_t>(k));
  }
  return all;
}

TEST(TrainingSamples, HaveEveryClassAndAreNested) {
  const Population all = population({50, 30, 4});
  const std::vector<Index> sizes{5, 10, 40, 80};
  Index redrawn = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const TrainingSamples samples(all, sizes, Rng(seed), 1000);
    for (std::size_t s = 0; s < sizes.size(); ++s) {
      const Order& order = samples.order(s);
      ASSERT_EQ(std::set<Index>(order.begin(), order.end()).size(), 84U);
      std::set<std::int32_t> classes;
      for (Index i = 0; i < sizes[s]; ++i)
        classes.insert(all.truths[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])]);
      EXPECT_EQ(classes.size(), 3U);
      EXPECT_EQ(samples.redrawn(s) > 0, s < samples.first_nested());
      redrawn += samples.redrawn(s);
    }
    for (std::size_t s = samples.first_nested(); s < sizes.size(); ++s)
      EXPECT_EQ(&samples.order(s), &samples.order(sizes.size() - 1));
  }
  EXPECT_GT(redrawn, 50);  // 5 rows rarely have the third class
}

TEST(TrainingSamples, AreEquallyLikelyGivenThatEveryClassIsThere) {
  const Population all = population({3, 2, 1});
  // Of 20 samples of 3 rows 6 have every class, of 15 of 4 rows 9.
  std::map<std::set<Index>, int> threes, fours;
  const int draws = 9000;
  for (std::uint64_t seed = 0; seed < draws; ++seed) {
    const TrainingSamples samples(all, std::vector<Index>{3, 4}, Rng(seed), 1000);
    const Order &three = samples.order(0), &four = samples.order(1);
    ++threes[{three.begin(), three.begin() + 3}];
    ++fours[{four.begin(), four.begin() + 4}];
  }
  const auto chi_squared = [](const auto& counts) {
    const double expected = static_cast<double>(draws) / static_cast<double>(counts.size());
    double sum = 0;
    for (const auto& [set, count] : counts)
      sum += (count - expected) * (count - expected) / expected;
    return sum;
  };
  ASSERT_EQ(threes.size(), 6U);
  ASSERT_EQ(fours.size(), 9U);
  EXPECT_LT(chi_squared(threes), 20.5);  // 5 degrees of freedom, p = 0.001
  EXPECT_LT(chi_squared(fours), 26.1);   // 8
}

TEST(TrainingSamples, OfAClassThatIsTooRareAreRefused) {
  const Population all = population({2000, 2});
  EXPECT_EQ(error_of([&] { (void)TrainingSamples(all, std::vector<Index>{4}, Rng(1), 20); }),
            "none of 20 samples of 4 rows had a row of each class; 'b' has 2 of the 2002 rows | "
            "use larger sizes, or compare some of the classes only with classes");
}

}  // namespace
}  // namespace genera::training_samples_test
