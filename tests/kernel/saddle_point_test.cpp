#include "kernel/saddle_point.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace genera::saddle_point_test {
namespace {

struct Expected {
  double x, value;
};

// By loggamma of mpmath with 60 digits.
TEST(SaddlePoint, StirlingsErrorIsThatOfLoggamma) {
  for (const auto& [n, expected] : std::initializer_list<Expected>{{0.5, 0.15342640972002734529},
                                                                   {1, 0.08106146679532725822},
                                                                   {2, 0.041340695955409294094},
                                                                   {7, 0.011896709945891770095},
                                                                   {15, 0.005554733551962801371},
                                                                   {16, 0.0052076559196096404407},
                                                                   {20, 0.0041663196919969224575},
                                                                   {1000, 8.3333330555556349206e-5},
                                                                   {1e8, 8.3333333333333333056e-10},
                                                                   {1e15, 8.3333333333333333e-17}})
    EXPECT_NEAR(kernel::stirling_error(n), expected,
                n < 16 ? 1e-14 : std::min(2e-16, 1e-13 * expected))
        << n;
}

TEST(SaddlePoint, DeviancesAreAccurateNearZeroAndFarFromIt) {
  struct Case {
    double x, mean, expected;
  };
  for (const auto& [x, mean, expected] :
       std::initializer_list<Case>{{1e14, 1e14 + 1e7, 0.49999996666666916667},
                                   {1e14, 1e14 + 1, 4.9999999999999666667e-15},
                                   {123456, 123000, 0.84422566545165806682},
                                   {5, 50, 33.48707453502977158},
                                   {1e15, 1.2e15, 17678443206045.373788},
                                   {1, 1e-300, 689.77552789821370518}})
    EXPECT_NEAR(kernel::deviance(x, {mean, 0}), expected, 1e-14 * expected) << x << " " << mean;
  EXPECT_EQ(kernel::deviance(7, {7, 0}), 0);
  // The low part of the mean counts: (1/4)^2 / (2 mean).
  EXPECT_NEAR(kernel::deviance(1e16, {1e16, 0.25}), 3.125e-18, 1e-30);
}

TEST(SaddlePoint, QuotientsAndProductsHaveTwiceTheDigits) {
  const kernel::HighLow product = kernel::two_product(1 + 0x1p-30, 1 + 0x1p-30);
  EXPECT_EQ(product.high, 1 + 0x1p-29);
  EXPECT_EQ(product.low, 0x1p-60);
  const kernel::HighLow third = kernel::quotient({1, 0}, {3, 0});
  EXPECT_EQ(third.high, 1.0 / 3);
  EXPECT_NEAR(third.low, 1.850371707708594e-17, 1e-32);  // 1/3 - 6004799503160661 / 2^54
}

}  // namespace
}  // namespace genera::saddle_point_test
