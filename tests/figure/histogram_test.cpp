#include "figure/histogram.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace genera::figure::histogram_test {
namespace {

double area_of(const Histogram& histogram, const std::vector<double>& heights) {
  double area = 0;
  for (std::size_t i = 0; i < heights.size(); ++i)
    area += heights[i] * (histogram.edges[i + 1] - histogram.edges[i]);
  return area;
}

Vector column(const Matrix& values, Index k) {
  Vector column;
  for (Index i = 0; i < values.rows(); ++i) column.push_back(values(i, k));
  return column;
}

double width_of(const Histogram& histogram) { return histogram.edges[1] - histogram.edges[0]; }

RC_GTEST_PROP(Histogram, HasTheAreasOfTheRows, (std::vector<int> numbers, bool fractions)) {
  RC_PRE(!numbers.empty());
  Vector values, weights;
  std::vector<std::int32_t> groups;
  double total = 0, of_first = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    values.push_back(fractions ? std::sqrt(2) * numbers[i] + std::sin(numbers[i]) : numbers[i]);
    groups.push_back(static_cast<std::int32_t>(i % 3) - 1);
    weights.push_back(static_cast<double>(1 + i % 4));
    total += weights.back();
    if (groups.back() == 0) of_first += weights.back();
  }
  const Histogram histogram = histogram_of(values, groups, 2, weights);
  RC_ASSERT(std::abs(area_of(histogram, histogram.density) - 1) < 1e-9);
  RC_ASSERT(std::abs(area_of(histogram, column(histogram.joint, 0)) - of_first / total) < 1e-9);
  RC_ASSERT(histogram.edges.front() <= *std::ranges::min_element(values));
  RC_ASSERT(histogram.edges.back() >= *std::ranges::max_element(values));
  RC_ASSERT(histogram.density.size() <= 121U);
}

TEST(Histogram, HasTheWidthOfFreedmanAndDiaconis) {
  // Of 1000 quantiles of an exponential distribution; numpy.histogram_bin_edges(x, "fd") uses
  // 2 (q75 - q25) / 10 with q75 - q25 = ln 3 within the steps of the quantiles.
  Vector values;
  for (int i = 0; i < 1000; ++i) values.push_back(-std::log1p(-(i + 0.5) / 1000));
  const Histogram histogram = histogram_of(values, {}, 0);
  EXPECT_NEAR(width_of(histogram), 2 * std::log(3) / 10, 2e-3);
}

TEST(Histogram, OfClassesFarApartHasTheWidthOfOne) {
  Vector one, both;
  std::vector<std::int32_t> groups;
  for (const int shift : {0, 20}) {
    for (int i = 0; i < 1000; ++i) {
      const double value = -std::log1p(-(i + 0.5) / 1000);
      if (shift == 0) one.push_back(value);
      both.push_back(value + shift);
      groups.push_back(shift == 0 ? 0 : 1);
    }
  }
  EXPECT_NEAR(width_of(histogram_of(both, groups, 2)), 2 * std::log(3) / 10, 0.04);
  const Histogram alone = histogram_of(one, {}, 0);
  EXPECT_GT(width_of(histogram_of(both, {}, 0)), 5 * width_of(alone));  // the range of all
}

TEST(Histogram, OfMultiplesOfAUnitHasThemInTheMiddle) {
  Vector values;
  for (int i = 0; i < 200; ++i) values.push_back(i % 5);
  const Histogram whole = histogram_of(values, {}, 0);
  EXPECT_EQ(whole.edges, (Vector{-0.5, 0.5, 1.5, 2.5, 3.5, 4.5}));
  for (const double density : whole.density) EXPECT_NEAR(density, 0.2, 1e-12);
  for (double& value : values) value = 0.1 * (value + 43);
  EXPECT_NEAR(width_of(histogram_of(values, {}, 0)), 0.1, 1e-12);
}

TEST(Histogram, OfEqualRowsIsOneBar) {
  const Histogram histogram = histogram_of({3, 3, 3}, {0, 0, 1}, 2);
  EXPECT_EQ(histogram.edges, (Vector{2.5, 3.5}));
  EXPECT_EQ(histogram.density, (Vector{1}));
  EXPECT_NEAR(histogram.joint(0, 0), 2.0 / 3, 1e-15);
  EXPECT_TRUE(histogram_of(Vector{}, {}, 2).density.empty());
}

TEST(Histogram, DoesNotDependOnOrderAndRepetitionIsWeight) {
  const Vector values{0.1, 0.73, 0.22, 1.9, 3.14, 2.72, 0.58};
  const Histogram forth = histogram_of(values, {0, 1, 0, 1, 0, 1, -1}, 2);
  const Histogram back = histogram_of({values.rbegin(), values.rend()}, {-1, 1, 0, 1, 0, 1, 0}, 2);
  ASSERT_EQ(forth.edges, back.edges);
  for (std::size_t i = 0; i < forth.density.size(); ++i)
    EXPECT_NEAR(forth.density[i], back.density[i], 1e-12);
  Vector twice = values;
  twice.insert(twice.end(), values.begin(), values.end());
  const Histogram weighted = histogram_of(values, {}, 0, Vector(values.size(), 7.0));
  EXPECT_EQ(weighted.edges, histogram_of(values, {}, 0).edges);  // only their ratios matter
}

}  // namespace
}  // namespace genera::figure::histogram_test
