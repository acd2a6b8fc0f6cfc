#include "kernel/cholesky.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace genera::kernel::cholesky_test {
namespace {

const std::vector<Index> natural{0, 1, 2};

TEST(Factorise, TheInverseFactorWhitensAndTheLogDeterminantIsThatOfTheMatrix) {
  const Matrix s(3, 3, {4, 1, 0.5, 1, 9, -2, 0.5, -2, 1});
  const auto factor = factorise(s, natural);
  ASSERT_TRUE(factor);
  // By hand: |S| = 4 (9 - 4) - 1 (1 + 1) + 0.5 (-2 - 4.5).
  EXPECT_NEAR(factor->log_det, std::log(4 * 5 - 2 - 3.25), 1e-14);
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 3; ++j) {
      double value = 0;  // (A S A')_ij
      for (Index a = 0; a < 3; ++a) {
        for (Index b = 0; b < 3; ++b)
          value += factor->inverse(i, a) * s(a, b) * factor->inverse(j, b);
      }
      EXPECT_NEAR(value, i == j ? 1 : 0, 1e-14);
    }
  }
}

TEST(Factorise, RefusesWhatIsNotPositiveDefinite) {
  EXPECT_FALSE(factorise(Matrix(2, 2, {1, 2, 2, 1}), std::vector<Index>{0, 1}));
  EXPECT_FALSE(factorise(Matrix(2, 2, {1, 0, 0, 0}), std::vector<Index>{0, 1}));
  EXPECT_FALSE(factorise(Matrix(1, 1, {NAN}), std::vector<Index>{0}));
}

TEST(LowerFactor, TimesItsTransposeIsTheMatrix) {
  const Matrix s(2, 2, {4, 3, 3, 25});
  const Matrix l = lower_factor(s);
  EXPECT_NEAR(l(0, 0) * l(0, 0), 4, 1e-14);
  EXPECT_NEAR(l(1, 0) * l(0, 0), 3, 1e-14);
  EXPECT_NEAR(l(1, 0) * l(1, 0) + l(1, 1) * l(1, 1), 25, 1e-13);
}

/// Covariance of (a, b, 2 a - 3 b, constant) for independent a, b with variances 4e6 and 1e-8.
Matrix dependent_covariance() {
  const double a = 4e6, b = 1e-8;
  return {4,
          4,
          {a, 0, 2 * a, 0, 0, b, -3 * b, 0,  //
           2 * a, -3 * b, 4 * a + 9 * b, 0, 0, 0, 0, 0}};
}

TEST(RankOf, NamesConstantAndDependentColumnsInAnyUnits) {
  Matrix s = dependent_covariance();
  s(1, 1) = 2e6;  // of like size, so that the relation is visible in double precision
  s(1, 2) = s(2, 1) = -3 * 2e6;
  s(2, 2) = 4 * 4e6 + 9 * 2e6;
  const double unit[] = {1, 1e-7, 1e5, 1};
  for (Index i = 0; i < 4; ++i) {
    for (Index j = 0; j < 4; ++j) s(i, j) *= unit[i] * unit[j];
  }
  const Rank rank = rank_of(s);
  EXPECT_EQ(rank.constant, std::vector<Index>{3});
  EXPECT_EQ(rank.independent.size(), 2U);
  ASSERT_EQ(rank.dependent.size(), 1U);
  EXPECT_FALSE(is_regular(s));
  // Whichever column was left over, the relation holds in the units of the data.
  const Index left = rank.dependent[0];
  const auto coefficient = [&](Index j) {
    for (std::size_t p = 0; p < rank.independent.size(); ++p) {
      if (rank.independent[p] == j) return rank.relations(0, static_cast<Index>(p));
    }
    return -1.0;
  };
  for (Index j = 0; j < 3; ++j) {
    if (j == left) continue;
    const double in_old_units = coefficient(j) * unit[j] / unit[left];
    const double plain[] = {2, -3, -1};  // 2 a - 3 b - c = 0
    EXPECT_NEAR(in_old_units, -plain[j] / plain[left], 1e-9);
  }
}

TEST(IsRegular, AcceptsStrongButHonestCorrelation) {
  EXPECT_TRUE(is_regular(Matrix(2, 2, {1, 1 - 1e-6, 1 - 1e-6, 1})));
  EXPECT_TRUE(is_regular(Matrix(2, 2, {1, 1 - 1e-9, 1 - 1e-9, 1})));
  EXPECT_FALSE(is_regular(Matrix(2, 2, {1, 1 - 1e-12, 1 - 1e-12, 1})));
}

}  // namespace
TEST(SmallestRelativeEigenvalue, IsThatOfTheInverseTimesTheMatrixInAnyUnits) {
  // S = L diag(0.02, 3) L' and T = L L' have the eigenvalues 0.02 and 3 whatever L is.
  const double l[2][2] = {{1e3, 0}, {2e-4, 1e-6}};
  Matrix s(2, 2), t(2, 2);
  for (Index i = 0; i < 2; ++i) {
    for (Index j = 0; j < 2; ++j) {
      s(i, j) = 0.02 * l[i][0] * l[j][0] + 3 * l[i][1] * l[j][1];
      t(i, j) = l[i][0] * l[j][0] + l[i][1] * l[j][1];
    }
  }
  const auto found = smallest_relative_eigenvalue(s, t, 0.1);
  ASSERT_TRUE(found);
  EXPECT_NEAR(*found, 0.02, 1e-10);
  EXPECT_FALSE(smallest_relative_eigenvalue(s, t, 0.01));
}

TEST(SmallestRelativeEigenvalue, OfASingularMatrixIsZero) {
  Matrix identity(2, 2);
  identity(0, 0) = identity(1, 1) = 1;
  const auto found = smallest_relative_eigenvalue(Matrix(2, 2, 1.0), identity, 0.1);
  ASSERT_TRUE(found);
  EXPECT_NEAR(*found, 0, 1e-12);
}

}  // namespace genera::kernel::cholesky_test
