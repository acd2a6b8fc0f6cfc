#include "kernel/kernel_sums.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include <genera/random.hpp>

#include "kernel/aligned.hpp"
#include "kernel/gather.hpp"

namespace genera::kernel {
namespace {

/// Plain long double sums over 150 points in 3 columns.
TEST(KernelSums, AreTheLogsOfSumsOfExponentials) {
  constexpr Index n = 150, d = 3;
  Rng rng(5);
  Vector points, log_weights;
  for (Index i = 0; i < n * d; ++i) points.push_back(3 * rng.normal());
  for (Index i = 0; i < n; ++i) log_weights.push_back(std::log(rng.uniform() + 0.1));
  AlignedVector panel(static_cast<std::size_t>(d * panel_rows));
  for (double& x : panel) x = 4 * rng.normal();
  panel[7] = 1e5;  // a far row
  alignas(64) double log_sums[panel_rows], nearest[panel_rows];
  Vector point(panel_rows, -1), weight(panel_rows, 0);
  point[3] = 20;
  weight[3] = -HUGE_VAL;  // left out
  point[4] = 21;
  weight[4] = 2;
  const ReplacedWeights replaced{point.data(), weight.data()};
  for (const ReplacedWeights* given : {static_cast<const ReplacedWeights*>(nullptr), &replaced}) {
    add_up_kernels({{points.data(), n, d}, log_weights.data()}, panel.data(), given, log_sums,
                   nearest);
    for (std::size_t lane = 0; lane < panel_rows; ++lane) {
      long double top = -HUGE_VALL, near = HUGE_VALL, sum = 0;
      std::vector<long double> terms;
      for (std::size_t p = 0; p < n; ++p) {
        long double square = 0;
        for (std::size_t j = 0; j < d; ++j) {
          const long double off = panel[j * panel_rows + lane] - points[p * d + j];
          square += off * off;
        }
        const bool other = given && point[lane] == static_cast<double>(p);
        terms.push_back((other ? weight[lane] : log_weights[p]) - square / 2);
        top = std::max(top, terms.back());
        near = std::min(near, square);
      }
      for (const long double term : terms) sum += std::exp(term - top);
      const double expected = static_cast<double>(top + std::log(sum));
      EXPECT_NEAR(log_sums[lane], expected, 1e-12 * (1 + std::abs(expected))) << lane;
      EXPECT_NEAR(nearest[lane], static_cast<double>(near), 1e-13 * static_cast<double>(near));
    }
  }
}

/// A row at 1e20 has lost all differences of its squared distances, but not of its products.
TEST(KernelSums, ThatAreRelativeComparePointsOfFarRows) {
  const Vector points{1, 2, -3, 0.5}, log_weights{0, -1};
  AlignedVector panel(static_cast<std::size_t>(2 * panel_rows));
  for (const double far : {1.0, 1e5, 1e20, 1e150}) {
    for (std::size_t lane = 0; lane < panel_rows; ++lane) {
      panel[lane] = far;
      panel[panel_rows + lane] = 3;
    }
    alignas(64) double first[panel_rows], second[panel_rows];
    add_up_relative({{points.data(), 1, 2}, log_weights.data()}, panel.data(), first);
    add_up_relative({{points.data() + 2, 1, 2}, log_weights.data() + 1}, panel.data(), second);
    const double expected = (far * 1 + 3 * 2 - 2.5) - (far * -3 + 3 * 0.5 - 4.625 - 1);
    for (std::size_t lane = 0; lane < panel_rows; ++lane)
      EXPECT_NEAR(first[lane] - second[lane], expected, 1e-14 * expected) << far;
  }
}

}  // namespace
}  // namespace genera::kernel
