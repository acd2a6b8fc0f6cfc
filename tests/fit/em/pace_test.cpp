#include "fit/em/pace.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include <genera/types.hpp>

namespace genera::fit_detail {
namespace {

constexpr double unknown = HUGE_VAL;

TEST(EmPace, OfStepsThatShrinkByAFactorIsTheirNumber) {
  EmPace known, gained;
  for (int i = 0; i < 30; ++i) {  // 0.5^n = 1e-6 at n = 19.93
    known.add(std::pow(0.5, i), 1);
    gained.add(unknown, std::pow(0.25, i));
    if (i < 11) continue;
    const double left = std::max(1.0, 6 * std::log(10) / std::log(2) - i);
    EXPECT_NEAR(known.steps_left(1e-6).value(), left, 1e-9);
    EXPECT_NEAR(gained.steps_left(1e-6).value(), left, 1e-9);
  }
}

TEST(EmPace, LooksThroughTheRoundsOfAnAcceleratedOne) {
  EmPace pace;
  for (int round = 0; round < 10; ++round)
    for (const double part : {1.0, 0.5, 3.0}) pace.add(part * std::pow(0.5, round), 1);
  EXPECT_NEAR(pace.steps_left(std::pow(0.5, 20)).value(), 30, 10);  // about
}

TEST(EmPace, IsNotKnownAtFirstNorOfStepsThatDoNotShrink) {
  EmPace pace;
  for (int i = 0; i < 10; ++i) pace.add(std::pow(0.5, i), 1);
  EXPECT_FALSE(pace.steps_left(1e-8).has_value());
  for (int i = 0; i < 30; ++i) pace.add(std::pow(0.5, 10 - i), 1);
  EXPECT_FALSE(pace.steps_left(1e-8).has_value());
  pace.start_again();
  for (int i = 0; i < 12; ++i) pace.add(std::pow(0.5, i), 1);
  EXPECT_NEAR(pace.steps_left(std::pow(0.5, 20)).value(), 9, 1e-9);
}

}  // namespace
}  // namespace genera::fit_detail
