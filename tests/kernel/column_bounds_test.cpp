// References: log_normal_between(), which has its own in normal_box_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <genera/random.hpp>

#include "kernel/column_bounds.hpp"
#include "kernel/normal.hpp"

namespace genera::column_bounds_test {
namespace {

using kernel::ColumnBounds;
using kernel::infinity;
using kernel::Interval;

ColumnBounds bounds_of(const std::vector<Interval>& box, double sd) {
  kernel::ColumnScreen screen;
  screen.resize(std::ssize(box));
  for (std::size_t i = 0; i < box.size(); ++i)
    screen.set(static_cast<Index>(i), {box[i].low * sd, box[i].high * sd}, sd * sd);
  return screen.bounds();
}

TEST(ColumnBounds, AreOnTheSafeSideAndClose) {
  Rng rng(4);
  for (int i = 0; i < 500; ++i) {
    std::vector<Interval> box;
    double least = 0, missed = 0;
    for (int j = 0; j < 1 + i % 11; ++j) {
      const double low = std::pow(10, rng.uniform()) * rng.normal();
      const double width = -std::pow(10, -6 * rng.uniform()) * std::log(rng.uniform());
      box.push_back({rng.uniform() < 0.2 ? -infinity : low,
                     rng.uniform() < 0.2 ? infinity : low + 3 * width});
      const double log = kernel::log_normal_between(box.back().low, box.back().high);
      least = std::min(least, log), missed -= std::expm1(log);
    }
    const ColumnBounds found = bounds_of(box, i % 2 == 0 ? 1 : 1e-8);
    EXPECT_GE(found.log_most, least * (1 + 1e-14)) << i;
    EXPECT_GE(found.missed, missed - 1e-15) << i;
    EXPECT_NEAR(found.missed, missed, 1e-9) << i;
    if (least > -15) {
      EXPECT_NEAR(found.log_most, least, 1e-3) << i;
    }
  }
}

TEST(ColumnBounds, FarOutAreFarBelowTheSmallestDouble) {
  EXPECT_NEAR(bounds_of({{100, 101}}, 1).log_most, -5000, 1);
  EXPECT_NEAR(bounds_of({{-1, 1}, {-infinity, -1e4}}, 1).log_most, -5e7, 1);
  EXPECT_LT(bounds_of({{1e200, 1e201}}, 1).log_most, -1e15);
  EXPECT_LT(bounds_of({{infinity, infinity}}, 1).log_most, -1e15);
  EXPECT_EQ(bounds_of({{-infinity, infinity}}, 1).log_most, 0);
}

}  // namespace
}  // namespace genera::column_bounds_test
