#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <genera/random.hpp>
#include <genera/stats.hpp>

#include "sums/row_moments.hpp"
#include "support/problems.hpp"

namespace genera::moments_test {
namespace {

using testing::range;

Moments moments_of(const MatrixView& x, const std::vector<Index>& rows, const Vector& weights,
                   Scatter kind) {
  return sums::RowMoments(data::NumberColumns(x), weights, kind).of(rows);
}

struct Cloud {
  double mean;
  double sd;
};

Matrix cloud(Index n, Index d, Cloud at, std::uint64_t seed) {
  Rng rng(seed);
  Matrix x(n, d);
  for (Index i = 0; i < n; ++i) {
    double common = rng.normal();
    for (double& value : x.row(i)) value = at.mean + at.sd * (rng.normal() + 0.5 * common);
  }
  return x;
}

/// Two passes in long double: the textbook, slowly.
Moments slow_moments(const Matrix& x, const std::vector<Index>& rows, const Vector& weights) {
  const Index d = x.columns();
  std::vector<long double> mean(static_cast<std::size_t>(d));
  long double total = 0;
  const auto w = [&](Index i) -> long double {
    return weights.empty() ? 1 : weights[static_cast<std::size_t>(i)];
  };
  for (const Index i : rows) {
    total += w(i);
    for (Index j = 0; j < d; ++j) mean[static_cast<std::size_t>(j)] += w(i) * x(i, j);
  }
  for (long double& m : mean) m /= total;
  Moments result(d, Scatter::full);
  result.weight = static_cast<double>(total);
  for (Index a = 0; a < d; ++a) {
    result.mean[static_cast<std::size_t>(a)] =
        static_cast<double>(mean[static_cast<std::size_t>(a)]);
    for (Index b = 0; b < d; ++b) {
      long double sum = 0;
      for (const Index i : rows)
        sum += w(i) * (x(i, a) - mean[static_cast<std::size_t>(a)]) *
               (x(i, b) - mean[static_cast<std::size_t>(b)]);
      result.scatter(a, b) = static_cast<double>(sum);
    }
  }
  return result;
}

/// The largest error of a scatter entry, as a part of sqrt(S_ii S_jj).
double scatter_error(const Moments& found, const Moments& expected) {
  double worst = 0;
  const Matrix& s = expected.scatter;
  for (Index i = 0; i < s.rows(); ++i) {
    for (Index j = 0; j < s.columns(); ++j)
      worst =
          std::max(worst, std::abs(found.scatter(i, j) - s(i, j)) / std::sqrt(s(i, i) * s(j, j)));
  }
  return worst;
}

class FarFromZero : public ::testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Means, FarFromZero, ::testing::Values(0.0, 1.0, -1e4, 1e8));

TEST_P(FarFromZero, OnePassLosesNoDigits) {
  const Matrix x = cloud(1000, 7, {GetParam(), 1}, 1);
  const auto rows = range(0, 1000);
  EXPECT_LT(scatter_error(moments_of(x, rows, {}, Scatter::full), slow_moments(x, rows, {})),
            1e-13);
}

TEST_P(FarFromZero, MergedShardsEqualOnePassToTwelveDigits) {
  const Matrix x = cloud(5000, 5, {GetParam(), 1}, 2);
  Moments merged(5, Scatter::full);
  for (Index cut = 0; cut < 5000; cut += 333) {
    const auto rows = range(cut, std::min<Index>(5000, cut + 333));
    merged.merge(moments_of(x, rows, {}, Scatter::full));
  }
  const Moments whole = slow_moments(x, range(0, 5000), {});
  EXPECT_LT(scatter_error(merged, whole), 1e-12);
  EXPECT_EQ(merged.weight, 5000);
  for (std::size_t j = 0; j < 5; ++j)
    EXPECT_NEAR(merged.mean[j], whole.mean[j], 4e-16 * std::abs(whole.mean[j]) + 1e-15);
}

TEST_P(FarFromZero, SubtractingUndoesMergingToThirteenDigitsOfWhatWas) {
  const Matrix x = cloud(3000, 4, {GetParam(), 1}, 3);
  const auto first = range(0, 1000), second = range(1000, 3000), all = range(0, 3000);
  Moments m = moments_of(x, all, {}, Scatter::full);
  const Moments before = m;
  m.subtract(moments_of(x, second, {}, Scatter::full));
  const Moments expected = moments_of(x, first, {}, Scatter::full);
  EXPECT_EQ(m.weight, 1000);
  for (Index i = 0; i < 4; ++i) {
    for (Index j = 0; j < 4; ++j)
      EXPECT_NEAR(m.scatter(i, j), expected.scatter(i, j),
                  1e-13 * std::sqrt(before.scatter(i, i) * before.scatter(j, j)));
  }
}

TEST(Moments, DiagonalOnesAreTheDiagonalOfFullOnes) {
  const Matrix x = cloud(700, 30, {1e8, 3}, 4);
  const auto rows = range(0, 700);
  const Moments full = moments_of(x, rows, {}, Scatter::full);
  const Moments diagonal = moments_of(x, rows, {}, Scatter::diagonal);
  EXPECT_EQ(diagonal.mean, full.mean);
  for (Index j = 0; j < 30; ++j)
    EXPECT_NEAR(diagonal.scatter(0, j), full.scatter(j, j), 1e-12 * full.scatter(j, j));
}

TEST(Moments, WeightsCountRowsAndFractionsOfRows) {
  const Matrix x = cloud(600, 3, {10, 2}, 5);
  Vector weights;
  for (Index i = 0; i < 600; ++i) weights.push_back(0.25 + static_cast<double>(i % 5));
  const auto rows = range(0, 600);
  EXPECT_LT(
      scatter_error(moments_of(x, rows, weights, Scatter::full), slow_moments(x, rows, weights)),
      1e-13);
}

TEST(Moments, RareValuesFarFromZeroKeepTheirScatter) {  // 256 rows, constant but for two
  Matrix x(256, 2, 3e8);
  x(0, 0) = 3e8 + 1, x(255, 1) = 3e8 - 1, x(255, 0) = 3e8 + 2;
  const auto rows = range(0, 256);
  EXPECT_LT(scatter_error(moments_of(x, rows, {}, Scatter::full), slow_moments(x, rows, {})),
            1e-12);
}

TEST(Moments, FirstRowsThatAreFarFromTheOthersCostNoDigits) {
  Matrix x = cloud(3000, 6, {1e6, 1}, 7);
  for (Index i = 0; i < 40; ++i) {
    for (double& value : x.row(i)) value += 1e4;
  }
  const auto rows = range(0, 3000);
  const Moments expected = slow_moments(x, rows, {});
  for (const Scatter kind : {Scatter::full, Scatter::diagonal}) {
    const Moments found = moments_of(x, rows, {}, kind);
    for (Index j = 0; j < 6; ++j)
      EXPECT_NEAR(found.scatter(kind == Scatter::full ? j : 0, j), expected.scatter(j, j),
                  1e-14 * expected.scatter(j, j));
  }
  EXPECT_LT(scatter_error(moments_of(x, rows, {}, Scatter::full), expected), 1e-14);
}

class Widths : public ::testing::TestWithParam<Index> {};
INSTANTIATE_TEST_SUITE_P(AnyDimension, Widths,
                         ::testing::Values(1, 2, 3, 4, 7, 8, 9, 15, 23, 24, 25, 31, 33, 50, 130));

TEST_P(Widths, RowsHaveTheSameMomentsWhereverTheyLie) {
  const Index d = GetParam(), n = 300;
  const Matrix x = cloud(n, d, {3, 1}, 8);
  std::vector<float> floats(static_cast<std::size_t>(n * d));
  Matrix rounded(n, d), wider(n, d + 3), columns(d, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < d; ++j) {
      const auto value = static_cast<float>(x(i, j));
      floats[static_cast<std::size_t>(i * d + j)] = value;
      rounded(i, j) = wider(i, j) = columns(j, i) = value;
    }
  }
  const std::vector<Index> rows = range(5, n);
  for (const Scatter kind : {Scatter::full, Scatter::diagonal}) {
    const Moments m = moments_of(rounded, rows, {}, kind);
    EXPECT_EQ(moments_of(MatrixView(floats.data(), n, d, {d, 1}), rows, {}, kind), m);
    EXPECT_EQ(moments_of(MatrixView(wider.data(), n, d, {d + 3, 1}), rows, {}, kind), m);
    EXPECT_EQ(moments_of(MatrixView(columns.data(), n, d, {1, n}), rows, {}, kind), m);
  }
  EXPECT_LT(
      scatter_error(moments_of(rounded, rows, {}, Scatter::full), slow_moments(rounded, rows, {})),
      1e-13);
}

TEST(Moments, OfSquaresThatOverflowAreInfinite) {
  for (const Index at : {Index{0}, Index{50}}) {  // among the rows that tell the centre, and not
    Matrix x = cloud(100, 3, {0, 1}, 10);
    x(at, 1) = 1e200;
    for (const Scatter kind : {Scatter::full, Scatter::diagonal}) {
      const Moments m = moments_of(x, range(0, 100), {}, kind);
      EXPECT_EQ(m.scatter(kind == Scatter::full ? 1 : 0, 1), HUGE_VAL);
      EXPECT_TRUE(std::isfinite(m.scatter(0, 0)));
    }
  }
}

TEST(Moments, AreWrittenOverOthers) {
  const Matrix x = cloud(100, 4, {2, 1}, 9);
  const std::vector<Index> rows = range(0, 60), others = range(60, 100);
  sums::RowMoments moments(data::NumberColumns(MatrixView(x)), {}, Scatter::full);
  const Moments expected = moments.of(rows);
  EXPECT_EQ(moments.of(rows, {}, moments.of(others)), expected);
  EXPECT_EQ(moments.of(rows, {}, Moments(2, Scatter::diagonal)), expected);
}

TEST(Moments, OfOtherColumnsAreRefused) {
  Moments m = moments_of(Matrix(3, 2, {1, 2, 3, 4, 5, 7}), range(0, 3), {}, Scatter::full);
  const Moments other = moments_of(Matrix(3, 1, {1, 2, 4}), range(0, 3), {}, Scatter::full);
  EXPECT_NE(testing::error_of([&] { m.merge(other); }).find("moments of different columns"),
            std::string::npos);
}

TEST(Moments, FloatsAndColumnMajorRowsAreReadInPlace) {
  const std::vector<float> data{1, 2, 3, 4, 10, 20, 30, 50};  // two columns of four rows
  const auto rows = range(0, 4);
  const Moments m = moments_of(MatrixView(data.data(), 4, 2, {1, 4}), rows, {}, Scatter::full);
  EXPECT_EQ(m.mean, (Vector{2.5, 27.5}));
  EXPECT_DOUBLE_EQ(m.scatter(0, 0), 5);
  EXPECT_DOUBLE_EQ(m.scatter(1, 0), 65);
  EXPECT_DOUBLE_EQ(m.scatter(1, 1), 875);
}

TEST(Moments, TheEmptyOneIsTheIdentity) {
  const Matrix x = cloud(50, 3, {5, 1}, 6);
  const auto rows = range(0, 50);
  const Moments m = moments_of(x, rows, {}, Scatter::full);
  Moments left(3, Scatter::full);
  left.merge(m);
  EXPECT_EQ(left, m);
  Moments right = m;
  right.merge(Moments(3, Scatter::full));
  EXPECT_EQ(right, m);
}

RC_GTEST_PROP(MomentsMerge, IsCommutativeAndAssociativeToRounding, ()) {
  const auto n = *rc::gen::inRange<Index>(3, 400);
  const auto a = *rc::gen::inRange<Index>(1, n - 1);
  const auto b = *rc::gen::inRange<Index>(a, n);
  const Matrix x = cloud(n, 3, {static_cast<double>(*rc::gen::inRange(-1000, 1000)), 1},
                         static_cast<std::uint64_t>(n));
  const auto part = [&](Index from, Index to) {
    const auto rows = range(from, to);
    return moments_of(x, rows, {}, Scatter::full);
  };
  Moments left = part(0, a);
  left.merge(part(a, b));
  left.merge(part(b, n));
  Moments right = part(b, n);
  Moments middle = part(a, b);
  middle.merge(part(0, a));
  right.merge(middle);
  RC_ASSERT(scatter_error(left, slow_moments(x, range(0, n), {})) < 1e-11);
  RC_ASSERT(scatter_error(right, slow_moments(x, range(0, n), {})) < 1e-11);
}

}  // namespace
}  // namespace genera::moments_test
