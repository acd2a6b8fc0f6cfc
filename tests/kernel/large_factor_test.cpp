#include "kernel/large_factor.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include <genera/random.hpp>

#include "kernel/cholesky.hpp"

namespace genera::kernel::large_factor_test {
namespace {

/// Correlations of columns with half as many common causes as there are columns, and `own` parts.
Matrix correlations(Index d, double own, std::uint64_t seed) {
  Rng rng(seed);
  const Index causes = d / 2 + 1;
  Matrix loadings(d, causes), s(d, d);
  for (Index i = 0; i < d; ++i) {
    for (double& value : loadings.row(i)) value = rng.normal();
  }
  const auto product = [&](Index i, Index j) {
    double sum = i == j ? own : 0;
    for (Index k = 0; k < causes; ++k) sum += loadings(i, k) * loadings(j, k);
    return sum;
  };
  for (Index i = 0; i < d; ++i) {
    for (Index j = 0; j < d; ++j)
      s(i, j) = i == j ? 1 : product(i, j) / std::sqrt(product(i, i) * product(j, j));
  }
  return s;
}

class LargeSizes : public ::testing::TestWithParam<Index> {};
INSTANTIATE_TEST_SUITE_P(AnyDimension, LargeSizes,
                         ::testing::Values(1, 15, 16, 47, 48, 49, 96, 200, 241));

TEST_P(LargeSizes, TheFactorTimesItsTransposeIsTheMatrix) {
  const Index d = GetParam();
  for (const double own : {100.0, 1e-3, 1e-7}) {
    const Matrix s = correlations(d, own, 3);
    const auto l = lower_of_large(s);
    ASSERT_TRUE(l);
    for (Index i = 0; i < d; ++i) {
      EXPECT_GT((*l)(i, i), 0);
      for (Index j = 0; j <= i; ++j) {
        double product = 0;
        for (Index k = 0; k <= j; ++k) product += (*l)(i, k) * (*l)(j, k);
        EXPECT_NEAR(product, s(i, j), 2e-15) << i << ' ' << j;
      }
      for (Index j = i + 1; j < d; ++j) EXPECT_EQ((*l)(i, j), 0);
    }
  }
}

TEST_P(LargeSizes, TheFactorTimesItsInverseIsTheIdentity) {
  const Index d = GetParam();
  const auto l = lower_of_large(correlations(d, 10, 4));
  const Matrix inverse = inverse_of_large(*l);
  for (Index i = 0; i < d; ++i) {
    for (Index j = 0; j < d; ++j) {
      double product = 0, size = 0;
      for (Index k = 0; k < d; ++k) {
        product += (*l)(i, k) * inverse(k, j);
        size += std::abs((*l)(i, k) * inverse(k, j));
      }
      EXPECT_NEAR(product, i == j ? 1 : 0, 1e-15 * (10 + size)) << i << ' ' << j;
      if (j > i) {
        EXPECT_EQ(inverse(i, j), 0);
      }
    }
  }
}

TEST(LowerOfLarge, RefusesWhatIsNotPositiveDefinite) {
  for (const Index bad : {Index{0}, Index{60}, Index{199}}) {
    Matrix s = correlations(200, 100, 5);
    s(bad, bad) = -1;
    EXPECT_FALSE(lower_of_large(s)) << bad;
    s(bad, bad) = 1;
    s(bad, bad == 0 ? 1 : 0) = s(bad == 0 ? 1 : 0, bad) = NAN;
    EXPECT_FALSE(factorise(s)) << bad;
  }
}

TEST(Factorise, OfManyColumnsIsThatOfFew) {
  const Index d = large_matrix + 7;
  Matrix s = correlations(d, 50, 6);
  for (Index i = 0; i < d; ++i) {
    for (Index j = 0; j < d; ++j) s(i, j) *= static_cast<double>((i + 1) * (j + 1));
  }
  const auto factor = factorise(s);
  ASSERT_TRUE(factor);
  Matrix copy = s;
  ASSERT_TRUE(factorise_in_place(copy));
  double log_det = 0;
  for (Index i = 0; i < d; ++i) log_det += 2 * std::log(copy(i, i));
  EXPECT_NEAR(factor->log_det, log_det, 1e-12 * std::abs(log_det));
  for (Index i = 0; i < d; ++i) EXPECT_NEAR(factor->inverse(i, i) * copy(i, i), 1, 1e-12);
}

}  // namespace
}  // namespace genera::kernel::large_factor_test
