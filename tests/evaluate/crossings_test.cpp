#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <genera/curves.hpp>

#include "support/problems.hpp"

namespace genera::crossings_test {
namespace {

using testing::error_of;
using Winner = Crossing::Winner;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// A curve whose errors and log losses are the same: of each size, then of each repeat.
LearningCurve curve(const std::string& name, const std::vector<Vector>& values,
                    const std::vector<Index>& sizes = {10, 100, 1000}) {
  LearningCurve made{.name = name};
  for (std::size_t s = 0; s < values.size(); ++s)
    made.points.push_back({.size = sizes[s],
                           .errors = values[s],
                           .log_losses = values[s],
                           .error = average(values[s]),
                           .log_loss = average(values[s])});
  return made;
}

TEST(Crossing, IsInterpolatedOnALogarithmicScale) {
  const Crossing found = crossing(curve("g", {{0.2, 0.2}, {0.2, 0.2}, {0.2, 0.2}}),
                                  curve("d", {{0.4, 0.4}, {0.1, 0.1}, {0.1, 0.1}}));
  ASSERT_TRUE(found.at.size);
  EXPECT_NEAR(*found.at.size, std::pow(10, 1 + 2.0 / 3), 1e-9);  // -0.2 at 10, +0.1 at 100
  EXPECT_EQ(found.before, Winner::first);
  EXPECT_EQ(found.after, Winner::second);
  // All repeats are the same, so that nothing is uncertain.
  EXPECT_EQ(found.at.low, found.at.size);
  EXPECT_EQ(found.at.high, found.at.size);
  EXPECT_EQ(found.at.below, 0);
  EXPECT_EQ(found.at.above, 0);
}

TEST(Crossing, IsTheLastOne) {
  const Crossing found = crossing(curve("g", {{0.3}, {0.2}, {0.2}}),  // +0.1, -0.1, +0.1
                                  curve("d", {{0.2}, {0.3}, {0.1}}));
  EXPECT_NEAR(found.at.size.value(), std::sqrt(100.0 * 1000), 1e-9);
  EXPECT_EQ(found.before, Winner::first);
  const Crossing reverse =
      crossing(curve("d", {{0.2}, {0.3}, {0.1}}), curve("g", {{0.3}, {0.2}, {0.2}}));
  EXPECT_EQ(reverse.before, Winner::second);
  EXPECT_EQ(reverse.at.size, found.at.size);
}

TEST(Crossing, MayNotBeThere) {
  const Crossing ahead =
      crossing(curve("g", {{0.2}, {0.1}, {0.1}}), curve("d", {{0.4}, {0.3}, {0.2}}));
  EXPECT_FALSE(ahead.at.size || ahead.at.low || ahead.at.high);
  EXPECT_EQ(ahead.before, Winner::first);
  EXPECT_EQ(ahead.after, Winner::first);
  EXPECT_EQ(ahead.at.below, 1);
  const Crossing same =
      crossing(curve("g", {{0.2}, {0.1}, {0.1}}), curve("d", {{0.2}, {0.1}, {0.1}}));
  EXPECT_EQ(same.after, Winner::none);
  EXPECT_FALSE(same.at.size);
  // Equal at the largest size: who was ahead before stays ahead.
  const Crossing tied =
      crossing(curve("g", {{0.2}, {0.1}, {0.1}}), curve("d", {{0.4}, {0.2}, {0.1}}));
  EXPECT_EQ(tied.after, Winner::first);
  EXPECT_FALSE(tied.at.size);
}

TEST(Crossing, IsUncertainWhereRepeatsDiffer) {
  std::vector<Vector> g(3), d(3);
  for (int r = 0; r < 40; ++r) {
    const double noise = 0.02 * std::sin(1 + 7 * r);
    g[0].push_back(0.30 + noise), d[0].push_back(0.40 - noise);
    g[1].push_back(0.20 - noise), d[1].push_back(0.195 + 2 * noise);  // may be either
    g[2].push_back(0.20 + noise), d[2].push_back(0.10);
  }
  const Crossing found = crossing(curve("g", g), curve("d", d));
  ASSERT_TRUE(found.at.size && found.at.low && found.at.high);
  EXPECT_LT(*found.at.low, *found.at.size);
  EXPECT_GT(*found.at.high, *found.at.size);
  EXPECT_GT(*found.at.high, 100);
  EXPECT_LT(*found.at.low, 100);
  EXPECT_EQ(crossing(curve("g", g), curve("d", d)).at.low, found.at.low);  // the same seed
  const Crossing narrow = crossing(curve("g", g), curve("d", d), Metric::error, {.level = 0.2});
  EXPECT_GT(*narrow.at.low, *found.at.low);
  EXPECT_LT(*narrow.at.high, *found.at.high);
}

TEST(Crossing, HasAnOpenIntervalWhereResamplesLieOutside) {
  std::vector<Vector> g(2), d(2);
  for (int r = 0; r < 30; ++r) {
    const double noise = 0.1 * std::sin(1 + 5 * r);
    g[0].push_back(0.30 + noise), d[0].push_back(0.301);
    g[1].push_back(0.20), d[1].push_back(0.10);
  }
  const Crossing found = crossing(curve("g", g), curve("d", d));
  if (found.at.size) {
    EXPECT_FALSE(found.at.low);
  }
  EXPECT_GT(found.at.below, 0.2);
  EXPECT_LT(found.at.below, 0.8);
  EXPECT_EQ(found.at.above, 0);
}

TEST(Crossing, TakesInfiniteLossesForVeryBad) {
  const LearningCurve g = curve("g", {{0.2, 0.3}, {infinity, 1}}, {10, 1000});
  const LearningCurve d = curve("d", {{0.9, 0.9}, {0.1, infinity}}, {10, 1000});
  const LearningCurve fine = curve("d", {{0.9, 0.9}, {0.1, 0.1}}, {10, 1000});
  EXPECT_NEAR(crossing(g, fine, Metric::log_loss).at.size.value(), 100, 1e-9);
  EXPECT_EQ(crossing(g, d, Metric::log_loss).after, Winner::first);  // both are infinite
  const std::vector<Average> apart = differences(g, d, Metric::log_loss);
  EXPECT_NEAR(apart[0].mean, -0.65, 1e-12);
  EXPECT_EQ(apart[1].mean, 0);
  EXPECT_EQ(apart[1].se, infinity);
}

TEST(Differences, AreRepeatByRepeat) {
  const std::vector<Average> found =
      differences(curve("g", {{0.1, 0.3, 0.5}}), curve("d", {{0.2, 0.4, 0.6}}));
  EXPECT_NEAR(found[0].mean, -0.1, 1e-15);
  EXPECT_NEAR(found[0].se, 0, 1e-15);  // although either curve varies
}

TEST(RowsNeeded, AreWhereTheMeanComesDownToIt) {
  const LearningCurve down = curve("d", {{0.5, 0.5}, {0.3, 0.3}, {0.2, 0.2}});
  EXPECT_NEAR(rows_needed(down, 0.4).size.value(), std::sqrt(10.0 * 100), 1e-9);
  EXPECT_NEAR(rows_needed(down, 0.3).size.value(), 100, 1e-9);
  const SizeEstimate at_once = rows_needed(down, 0.6), never = rows_needed(down, 0.1);
  EXPECT_FALSE(at_once.size || never.size);
  EXPECT_EQ(at_once.below, 1);
  EXPECT_EQ(never.above, 1);
}

TEST(Crossing, RefusesCurvesOfOtherSamples) {
  const LearningCurve three = curve("g", {{0.2}, {0.1}, {0.1}}), two = curve("d", {{0.2}, {0.1}});
  EXPECT_EQ(error_of([&] { (void)crossing(three, two); }),
            "the curves of 'g' and 'd' are not of the same samples | compare curves of one call");
  EXPECT_EQ(error_of([&] {
              (void)differences(three, curve("d", {{0.2}, {0.1, 0.2}, {0.3}}));
            }),
            "the curves of 'g' and 'd' are not of the same samples | compare curves of one call");
  EXPECT_EQ(error_of([&] { (void)crossing(two, two, Metric::error, {.resamples = 0}); }),
            "0 resamples at level 0.9 give no interval | give at least one resample and a level "
            "between 0 and 1");
}

TEST(Average, HasAStandardErrorAndNoNaN) {
  const Average found = average({1, 2, 3, 6});
  EXPECT_DOUBLE_EQ(found.mean, 3);
  EXPECT_DOUBLE_EQ(found.se, std::sqrt(14.0 / 3 / 4));
  EXPECT_EQ(average({5}).se, 0);
  EXPECT_EQ(average({1, infinity}).mean, infinity);
  EXPECT_EQ(average({-infinity, infinity}).mean, 0);
}

}  // namespace
}  // namespace genera::crossings_test
