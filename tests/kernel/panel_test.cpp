#include "kernel/panel.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <genera/random.hpp>

#include "kernel/substitution.hpp"
#include "support/panels.hpp"

namespace genera::kernel::panel_test {
namespace {

using genera::testing::panel_of;
using genera::testing::random_matrix;

class Sizes : public ::testing::TestWithParam<Index> {};
INSTANTIATE_TEST_SUITE_P(AnyDimension, Sizes, ::testing::Values(1, 2, 5, 6, 7, 12, 13, 50));

TEST_P(Sizes, SquaredProductsAreThoseOfTheTriangle) {
  const Index d = GetParam();
  Matrix a = random_matrix(d, d, 3);
  const Matrix x = random_matrix(panel_rows, d, 4);
  const AlignedVector panel = panel_of(x, 0, panel_rows);
  const PackedMatrix packed = PackedMatrix::lower(a);
  AlignedVector squares(panel_rows, 0);
  add_squared_products(packed, {0, packed.tiles()}, panel.data(), panel_rows, squares.data());
  for (Index lane = 0; lane < panel_rows; ++lane) {
    double expected = 0;
    for (Index i = 0; i < d; ++i) {
      double y = 0;
      for (Index j = 0; j <= i; ++j) y += a(i, j) * x(lane, j);
      expected += y * y;
    }
    EXPECT_NEAR(squares[static_cast<std::size_t>(lane)], expected, 1e-13 * (1 + expected));
  }
}

TEST_P(Sizes, SquaredProductsOfOneRowAreThoseOfAPanel) {
  const Index d = GetParam();
  const PackedMatrix packed = PackedMatrix::lower(random_matrix(d, d, 3));
  const PackedColumns columns(packed);
  const Matrix x = random_matrix(panel_rows, d, 4);
  const AlignedVector panel = panel_of(x, 0, panel_rows);
  AlignedVector squares(panel_rows, 0), product(static_cast<std::size_t>(columns.stride()));
  add_squared_products(packed, {0, packed.tiles()}, panel.data(), panel_rows, squares.data());
  for (Index lane = 0; lane < panel_rows; ++lane) {
    const double expected = squares[static_cast<std::size_t>(lane)];
    EXPECT_NEAR(squared_product(columns, x.row(lane).data(), product.data()), expected,
                1e-13 * (1 + expected));
  }
}

TEST_P(Sizes, SubstitutionHasTheBitsOfAPlainLoop) {
  const Index d = GetParam();
  const Matrix lower = random_matrix(d, d, 3);
  AlignedVector panel = panel_of(random_matrix(panel_rows, d, 4), 0, panel_rows);
  AlignedVector expected = panel;
  for (Index i = 0; i < d; ++i) {
    for (Index lane = 0; lane < panel_rows; ++lane) {
      double& z = expected[static_cast<std::size_t>(i * panel_rows + lane)];
      for (Index t = 0; t < i; ++t)
        z += lower(i, t) * expected[static_cast<std::size_t>(t * panel_rows + lane)];
      z *= -1 / lower(i, i);
    }
  }
  substitute(lower.data(), d, d, panel.data());
  EXPECT_EQ(panel, expected);
}

TEST_P(Sizes, ProductsOfSomeRowsAreThoseOfTheMatrix) {
  const Index d = GetParam();
  const Matrix a = random_matrix(9, d, 5), x = random_matrix(1, d, 6);
  const std::vector<Index> rows{8, 0, 3, 3, 1, 7};
  Vector out(rows.size());
  row_products(a, rows, x.data(), out.data());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    double expected = 0;
    for (Index j = 0; j < d; ++j) expected += a(rows[i], j) * x(0, j);
    EXPECT_NEAR(out[i], expected, 1e-13 * static_cast<double>(d));
  }
}

TEST_P(Sizes, ProductsAreThoseOfTheMatrix) {
  const Index d = GetParam();
  const Matrix a = random_matrix(9, d, 5);
  const Matrix x = random_matrix(panel_rows, d, 6);
  AlignedVector out(static_cast<std::size_t>(round_up(9, PackedMatrix::tile_rows) * panel_rows));
  products(PackedMatrix::dense(a), panel_of(x, 0, panel_rows).data(), panel_rows, out.data());
  for (Index i = 0; i < 9; ++i) {
    for (Index lane = 0; lane < panel_rows; ++lane) {
      double expected = 0;
      for (Index j = 0; j < d; ++j) expected += a(i, j) * x(lane, j);
      EXPECT_NEAR(out[static_cast<std::size_t>(i * panel_rows + lane)], expected, 1e-13);
    }
  }
}

TEST_P(Sizes, OneLaneHasTheBitsOfAFullPanel) {
  const Index d = GetParam();
  const Matrix x = random_matrix(panel_rows, d, 7);
  const PackedMatrix packed = PackedMatrix::lower(random_matrix(d, d, 8));
  AlignedVector all(panel_rows, 0);
  add_squared_products(packed, {0, packed.tiles()}, panel_of(x, 0, panel_rows).data(), panel_rows,
                       all.data());
  for (Index row = 0; row < panel_rows; ++row) {
    AlignedVector one(panel_rows, 0);
    add_squared_products(packed, {0, packed.tiles()}, panel_of(x, row, 1).data(), 1, one.data());
    EXPECT_EQ(one[0], all[static_cast<std::size_t>(row)]);
  }
}

TEST_P(Sizes, DiagonalDistancesKeepTheirDigitsFarFromZero) {
  const Index d = GetParam();
  Matrix x = random_matrix(panel_rows, d, 9);
  Matrix means(4, d, 1e8), inverse(4, d, 2.0);
  for (Index i = 0; i < panel_rows; ++i) {
    for (double& value : x.row(i)) value += 1e8;
  }
  AlignedVector out(4 * panel_rows);
  diagonal_distances({means, inverse}, panel_of(x, 0, panel_rows).data(), panel_rows, out.data());
  for (Index lane = 0; lane < panel_rows; ++lane) {
    double expected = 0;
    for (Index j = 0; j < d; ++j) expected += std::pow(2 * (x(lane, j) - 1e8), 2);
    EXPECT_NEAR(out[static_cast<std::size_t>(3 * panel_rows + lane)], expected,
                1e-13 * (1 + expected));
  }
}

class Classes : public ::testing::TestWithParam<Index> {};
INSTANTIATE_TEST_SUITE_P(AnyNumber, Classes, ::testing::Values(1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 16));

TEST_P(Classes, AreAsFarWhetherTheyAreNearToEachOtherOrNot) {
  const Index count = GetParam(), d = 7;
  const Matrix x = random_matrix(panel_rows, d, 11);
  for (const double apart : {0.5, 20.0}) {
    Matrix means = random_matrix(count, d, 12), inverse(count, d, 2.0), low(count, d, 1e-17);
    for (Index k = 0; k < count; ++k) {
      for (double& mean : means.row(k)) mean = apart * std::tanh(mean);
    }
    const bool near = count == 1 || apart < 1;
    for (const Matrix& lower : {Matrix(), low}) {
      const PackedDiagonals packed(means, inverse, lower);
      EXPECT_EQ(packed.form(), near            ? PackedDiagonals::Form::near
                               : lower.empty() ? PackedDiagonals::Form::far
                                               : PackedDiagonals::Form::far_with_low);
      AlignedVector out(static_cast<std::size_t>(count * panel_rows));
      diagonal_distances(packed, panel_of(x, 0, panel_rows).data(), panel_rows, out.data());
      for (Index k = 0; k < count; ++k) {
        for (Index lane = 0; lane < panel_rows; ++lane) {
          double expected = 0;
          for (Index j = 0; j < d; ++j) {
            const double z = (x(lane, j) - means(k, j)) * 2;
            EXPECT_NEAR(packed.standardised(k, j, x(lane, j)), z, 1e-14 * (1 + std::abs(z)));
            expected += z * z;
          }
          EXPECT_NEAR(out[static_cast<std::size_t>(k * panel_rows + lane)], expected,
                      1e-14 * (1 + expected));
        }
      }
    }
  }
}

TEST(DiagonalDistances, OfWhatIsNoNumberAreInfinite) {
  Matrix x = random_matrix(panel_rows, 3, 13);
  x(2, 1) = NAN;
  x(3, 0) = HUGE_VAL;
  for (const double mean : {0.0, 1e3}) {
    const Matrix means(2, 3, {mean, 0, 0, -mean, 0, 0}), inverse(2, 3, 1.0);
    AlignedVector out(2 * panel_rows);
    diagonal_distances({means, inverse}, panel_of(x, 0, panel_rows).data(), panel_rows, out.data());
    for (std::size_t i = 0; i < out.size(); ++i)
      EXPECT_EQ(std::isinf(out[i]), i % panel_rows == 2 || i % panel_rows == 3) << i;
  }
}

TEST_P(Sizes, AffineProductsAreProductsOfCentredRows) {
  const Index d = GetParam();
  const Matrix a = random_matrix(8, d, 14), x = random_matrix(panel_rows, d, 15);
  const Matrix centre = random_matrix(1, d, 16), constants = random_matrix(1, 8, 17);
  const PackedMatrix packed = PackedMatrix::dense(a);
  const AlignedVector panel = panel_of(x, 0, panel_rows);
  AlignedVector centred(panel.size()), expected(12 * panel_rows), found(12 * panel_rows);
  kernel::centre(panel.data(), centre.data(), {0, d}, centred.data());
  products(packed, centred.data(), panel_rows, expected.data());
  add_constants(constants.data(), {expected.data(), 12 * panel_rows, 1, 8});
  affine_products({packed, centre.data(), constants.data()}, panel.data(), panel_rows,
                  found.data());
  for (std::size_t i = 0; i < 8 * panel_rows; ++i) EXPECT_EQ(found[i], expected[i]);
}

TEST(BestClasses, TellWhetherAllLanesHaveOne) {
  constexpr double lowest = -std::numeric_limits<double>::infinity();
  AlignedVector scores(2 * panel_rows, lowest), best(panel_rows);
  std::int32_t labels[panel_rows];
  std::fill(scores.begin() + panel_rows, scores.end(), -1.0);
  EXPECT_TRUE(best_classes(scores.data(), 2, best.data(), labels));
  EXPECT_EQ(labels[3], 1);
  scores[panel_rows + 3] = lowest;
  EXPECT_FALSE(best_classes(scores.data(), 2, best.data(), labels));
  EXPECT_EQ(labels[3], 0);
}

TEST(Scores, GetTheConstantOfTheirClass) {
  AlignedVector scores(3 * panel_rows, 0.25);
  add_constants(Vector{1, -2, 0.5}.data(), {scores.data(), 3 * panel_rows, 1, 3});
  for (std::size_t i = 0; i < scores.size(); ++i)
    EXPECT_EQ(scores[i], (Vector{1.25, -1.75, 0.75}[i / panel_rows]));
}

TEST(Scores, AreWithinALimitIfAllAre) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinite = HUGE_VAL;
  for (const std::size_t place : {0U, 7U, 15U, 16U, 31U}) {
    AlignedVector scores(2 * panel_rows, -1);
    const auto with = [&](double value, double limit) {
      scores[place] = value;
      return are_within({scores.data(), panel_rows, 2, 1}, limit);
    };
    EXPECT_TRUE(with(-2, 2.5));
    EXPECT_FALSE(with(-2.5, 2.5));
    EXPECT_FALSE(with(3, 2.5));
    EXPECT_FALSE(with(nan, 2.5));
    EXPECT_TRUE(with(1e308, infinite));
    EXPECT_FALSE(with(-infinite, infinite));
    EXPECT_FALSE(with(nan, infinite));
  }
}

TEST(Softmax, SumsToOneAndSurvivesExtremes) {
  constexpr double lowest = -std::numeric_limits<double>::infinity();
  AlignedVector scores(3 * panel_rows, lowest), p(3 * panel_rows), sums(panel_rows);
  scores[0] = -1e6, scores[panel_rows] = -1e6 - std::log(3);  // lane 0: 3/4, 1/4, 0
  scores[1] = 800, scores[panel_rows + 1] = 0, scores[2 * panel_rows + 1] = -800;
  softmax(scores.data(), 3, sums.data(), p.data());
  EXPECT_NEAR(p[0], 0.75, 1e-10);
  EXPECT_NEAR(p[panel_rows], 0.25, 1e-10);
  EXPECT_EQ(p[2 * panel_rows], 0);
  EXPECT_NEAR(sums[0], -1e6 + std::log(4.0 / 3), 1e-9);
  EXPECT_EQ(p[1], 1);
  EXPECT_EQ(sums[1], 800);
  EXPECT_EQ(sums[2], lowest);  // impossible under every class
  EXPECT_EQ(p[2], 0);
}

TEST(Softmax, LogSumsAreThoseOfTheStandardLibrary) {
  Rng rng(5);
  AlignedVector scores(7 * panel_rows), p(7 * panel_rows), sums(panel_rows);
  for (double& score : scores) score = 30 * rng.normal();
  softmax(scores.data(), 7, sums.data(), p.data());
  for (std::size_t lane = 0; lane < panel_rows; ++lane) {
    double sum = 0;
    for (std::size_t k = 0; k < 7; ++k) sum += std::exp(scores[k * panel_rows + lane]);
    EXPECT_NEAR(sums[lane], std::log(sum), 1e-14 * std::abs(std::log(sum)));
    for (std::size_t k = 0; k < 7; ++k)
      EXPECT_NEAR(p[k * panel_rows + lane], std::exp(scores[k * panel_rows + lane]) / sum, 1e-15);
  }
}

}  // namespace
}  // namespace genera::kernel::panel_test
