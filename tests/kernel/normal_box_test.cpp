// References: mpmath 1.4 with 40 to 230 digits; orthants and one-factor laws by their formulas.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernel/infinity.hpp"
#include "kernel/lattice_points.hpp"
#include "kernel/log_sum.hpp"
#include "kernel/normal.hpp"
#include "kernel/normal_box.hpp"

namespace genera::normal_box_test {
namespace {

using kernel::infinity;
using kernel::Interval;
using kernel::log_normal_below;
using kernel::log_normal_between;
using kernel::LogProbability;
using kernel::normal_within;
using kernel::NormalBox;

Matrix equicorrelated(Index d, double r) {
  Matrix covariance(d, d, r);
  for (Index i = 0; i < d; ++i) covariance(i, i) = 1;
  return covariance;
}

/// Up to three columns by quadrature, more until the relative error is 1e-4.
LogProbability box_of(const std::vector<Interval>& box, const Matrix& covariance) {
  NormalBox found(box, covariance, Rng(1));
  constexpr double enough = 1e-4;
  constexpr Index max_evaluations = 2'000'000;
  while (found.next_evaluations() > 0 && found.next_evaluations() <= max_evaluations &&
         (box.size() == 3 || found.estimate().error() > enough))
    found.refine(1);
  return found.estimate();
}

/// After at most so many evaluations.
LogProbability box_within(const std::vector<Interval>& box, const Matrix& covariance,
                          Index max_evaluations) {
  NormalBox found(box, covariance, Rng(1));
  while (found.next_evaluations() > 0 &&
         found.estimate().evaluations + found.next_evaluations() <= max_evaluations)
    found.refine(1);
  return found.estimate();
}

LogProbability orthant(Index d, double r) {
  return box_of(std::vector<Interval>(static_cast<std::size_t>(d), {0, infinity}),
                equicorrelated(d, r));
}

TEST(NormalDistribution, IsAccurateInTheTails) {
  EXPECT_NEAR(log_normal_below(-1), -1.8410216450092635058, 1e-15);
  EXPECT_NEAR(log_normal_below(-10), -53.231285150512470578, 1e-13);
  EXPECT_NEAR(log_normal_below(-37), -689.0305855768905936, 1e-12);
  EXPECT_NEAR(log_normal_below(-100), -5005.5242086942050886, 1e-11);
  EXPECT_NEAR(log_normal_below(2), -0.023012909328963488465, 4e-17);
  EXPECT_EQ(log_normal_below(-infinity), -infinity);
  EXPECT_EQ(log_normal_below(infinity), 0);
}

TEST(NormalDistribution, BetweenTwoNumbers) {
  EXPECT_NEAR(std::exp(log_normal_between(-0.5, 0.7)), 0.44949880905094008889, 1e-16);
  EXPECT_NEAR(log_normal_between(40, 41), -804.60844201375378817, 1e-12);
  EXPECT_NEAR(log_normal_between(-41, -40), -804.60844201375378817, 1e-12);
  EXPECT_NEAR(log_normal_between(1, 1 + 1e-10), -24.44478938045476201, 1e-14);
  EXPECT_NEAR(std::exp(log_normal_between(3, 3.04)), 0.00016700728852568790963, 4e-18);
  EXPECT_EQ(log_normal_between(2, 1), -infinity);
  EXPECT_EQ(log_normal_between(-infinity, infinity), 0);
}

/// Differences of squares that are too large for a double, or lost in one, leave no NaN.
TEST(NormalDistribution, FarBeyondAllDigits) {
  EXPECT_EQ(log_normal_between(1e150, 1e150), -infinity);
  EXPECT_EQ(log_normal_between(1e200, 1e201), -infinity);
  EXPECT_EQ(log_normal_between(infinity, infinity), -infinity);
  EXPECT_EQ(log_normal_between(-infinity, -infinity), -infinity);
  // log(1 - exp(-1e8 * 1e-8)) of the tail beyond 1e8
  EXPECT_NEAR(log_normal_between(1e8, 1e8 + 1e-8) - log_normal_below(-1e8),
              std::log(-std::expm1(-1e8 * ((1e8 + 1e-8) - 1e8))), 1.0);
}

TEST(NormalDistribution, QuantilesWithinAnInterval) {
  for (const Interval range : {Interval{-1, 2}, {5, 6}, {-infinity, -3}, {40, 41}, {-70, -60}}) {
    for (const double u : {0.01, 0.5, 0.99}) {
      const double x = normal_within(range.low, range.high, u);
      const double log_share =
          log_normal_between(range.low, x) - log_normal_between(range.low, range.high);
      EXPECT_NEAR(std::exp(log_share), u, 1e-9) << range.low << ' ' << range.high;
    }
  }
  EXPECT_EQ(normal_within(1, 1, 0.3), 1);
}

TEST(NormalBox, QuadrantsHaveTheirFormula) {
  for (const double r : {-0.999, -0.9, -0.3, 1e-9, 0.3, 0.9, 0.999, 0.99999999}) {
    const double exact = 0.25 + std::asin(r) / (2 * std::numbers::pi);
    const LogProbability found = orthant(2, r);
    EXPECT_NEAR(std::exp(found.log) / exact, 1, 1e-13) << r;
    EXPECT_LT(found.relative_error, 1e-10);
  }
}

TEST(NormalBox, OctantsHaveTheirFormula) {
  for (const double r : {-0.49, -0.3, 0.5, 0.9}) {
    const double exact = 0.125 + 3 * std::asin(r) / (4 * std::numbers::pi);
    EXPECT_NEAR(std::exp(orthant(3, r).log) / exact, 1, 1e-12) << r;
  }
  Matrix c = equicorrelated(3, 0);
  c(0, 1) = c(1, 0) = 0.7, c(0, 2) = c(2, 0) = -0.2, c(1, 2) = c(2, 1) = 0.4;
  const double exact =
      0.125 + (std::asin(0.7) + std::asin(-0.2) + std::asin(0.4)) / (4 * std::numbers::pi);
  EXPECT_NEAR(std::exp(box_of({{0, infinity}, {0, infinity}, {0, infinity}}, c).log), exact, 1e-13);
}

TEST(NormalBox, OfTwoColumns) {
  const Matrix c = equicorrelated(2, 0.6);
  EXPECT_NEAR(std::exp(box_of({{-1, 2}, {-0.5, 0.25}}, c).log), 0.25209158183034125065, 1e-14);
  EXPECT_NEAR(box_of({{5, 20}, {4, 20}}, c).log, -17.06261287666540837, 1e-11);
  EXPECT_NEAR(box_of({{30, infinity}, {20, 25}}, c).log, -459.33053706723905311, 1e-10);
  EXPECT_NEAR(std::exp(box_of({{0.2, 0.305}, {0.3, 0.31}}, equicorrelated(2, 0.99)).log),
              0.0010420801945700042756, 1e-15);
  // The first column is as good as free.
  EXPECT_NEAR(box_of({{-30, infinity}, {0.3, 0.31}}, equicorrelated(2, 0.9999)).log,
              log_normal_between(0.3, 0.31), 1e-11);
}

/// Columns l_i f + sqrt(1 - l_i^2) e_i of one common f.
TEST(NormalBox, OfAOneFactorLaw) {
  const Vector l{0.9, 0.5, -0.4, 0.7, 0.3};
  const std::vector<Interval> box{{-1, 0.5}, {-0.5, 1.5}, {0, 2}, {-2, 1}, {0.1, infinity}};
  Matrix c(5, 5);
  for (Index i = 0; i < 5; ++i) {
    for (Index j = 0; j < 5; ++j)
      c(i, j) = i == j ? 1 : l[static_cast<std::size_t>(i)] * l[static_cast<std::size_t>(j)];
  }
  const LogProbability five = box_of(box, c);
  EXPECT_NEAR(std::exp(five.log) / 0.06574778746931703, 1, five.relative_error);
  EXPECT_LT(five.relative_error, 1.01e-4);
  Matrix three(3, 3);
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 3; ++j) three(i, j) = c(i, j);
  }
  EXPECT_NEAR(std::exp(box_of({box.begin(), box.begin() + 3}, three).log), 0.16799789115630698,
              1e-13);
  EXPECT_NEAR(
      std::exp(box_of(std::vector<Interval>(8, {-infinity, 1}), equicorrelated(8, 0.3)).log),
      0.4059337742849459, 1e-4);
}

TEST(NormalBox, OrthantsOfCorrelationOneHalfAreOneOverDPlusOne) {
  for (const Index d : {4, 6, 12}) {
    const LogProbability found = orthant(d, 0.5);
    EXPECT_NEAR(std::exp(found.log) * static_cast<double>(d + 1), 1, 2 * found.relative_error) << d;
    EXPECT_LT(found.relative_error, 1e-3);
  }
}

TEST(NormalBox, UnitsDoNotMatter) {
  Matrix c = equicorrelated(3, 0.4);
  const double plain = box_of({{-1, 1}, {0, 2}, {-2, 0.5}}, c).log;
  const Vector units{1e-6, 3, 1e8};
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 3; ++j)
      c(i, j) *= units[static_cast<std::size_t>(i)] * units[static_cast<std::size_t>(j)];
  }
  EXPECT_NEAR(box_of({{-1e-6, 1e-6}, {0, 6}, {-2e8, 0.5e8}}, c).log, plain, 1e-12);
}

TEST(NormalBox, IndependentColumnsMultiply) {
  const LogProbability found = box_of({{-1, 1}, {0, infinity}, {7, 8}}, equicorrelated(3, 0));
  EXPECT_EQ(found.relative_error, 0);
  EXPECT_NEAR(found.log, log_normal_between(-1, 1) + std::log(0.5) + log_normal_between(7, 8),
              1e-14);
}

/// The sum over the common factor, by the trapezoidal rule: its error is far below 1e-14.
double log_equicorrelated(const std::vector<Interval>& box, double r) {
  constexpr double step = 0.01, end = 45;
  const double sd = std::sqrt(1 - r);
  Vector logs;
  for (double f = -end; f <= end; f += step) {
    double log = -0.5 * f * f - 0.5 * kernel::log_two_pi + std::log(step);
    for (const Interval& own : box)
      log +=
          log_normal_between((own.low - std::sqrt(r) * f) / sd, (own.high - std::sqrt(r) * f) / sd);
    logs.push_back(log);
  }
  const double largest = *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  for (const double log : logs) sum += std::exp(log - largest);
  return largest + std::log(sum);
}

TEST(NormalBox, TailsAreAccurateRelativeToThemselves) {
  for (const double r : {0.1, 0.5, 0.9}) {
    for (const double low : {-2.0, 0.0, 3.0, 8.0, 20.0}) {
      const std::vector<Interval> three{{low, low + 1}, {low + 0.5, infinity}, {low - 1, low + 3}};
      for (const Index d : {2, 3}) {
        const std::vector<Interval> box(three.begin(), three.begin() + d);
        const LogProbability found = box_of(box, equicorrelated(d, r));
        const double exact = log_equicorrelated(box, r);
        EXPECT_NEAR(found.log, exact, 1e-11 + 1e-14 * std::abs(exact))
            << d << ' ' << r << ' ' << low;
      }
    }
    for (const double low : {-1.0, 4.0}) {
      const std::vector<Interval> box(4, {low, low + 2});
      const LogProbability found = box_of(box, equicorrelated(4, r));
      EXPECT_NEAR(found.log, log_equicorrelated(box, r), 2 * found.relative_error)
          << r << ' ' << low;
      EXPECT_LT(found.relative_error, 0.01);
    }
  }
}

/// Columns x, y and nearly (x + y) / sqrt 2. mpmath: the integral over x + y.
TEST(NormalBox, OfANearlySingularCovariance) {
  Matrix c = equicorrelated(3, 0.70710678);
  c(0, 1) = c(1, 0) = 0;
  EXPECT_NEAR(box_of({{0, 1}, {0, 1}, {0.3, 0.8}}, c).log, -2.6951332450126743905, 1e-10);
}

/// A box of two or three columns, some of them nearly dependent, narrow or far out.
struct RandomBox {
  std::vector<Interval> box{};
  Matrix covariance{};
};
RandomBox random_box(Rng& rng) {
  const auto normal = [&] { return normal_within(-infinity, infinity, rng.uniform()); };
  const Index d = rng.uniform() < 0.3 ? 2 : 3;
  const double small = std::pow(10, rng.uniform() < 0.5 ? 0 : -6 * rng.uniform());
  const double far = std::pow(10, rng.uniform() < 0.7 ? 0 : 3 * rng.uniform());
  Matrix factor(d, d);
  RandomBox one{{}, Matrix(d, d)};
  for (Index i = 0; i < d; ++i) {
    for (Index j = 0; j < d; ++j) factor(i, j) = normal() * (j == d - 1 ? small : 1);
  }
  for (Index i = 0; i < d; ++i) {
    for (Index j = 0; j < d; ++j) {
      for (Index t = 0; t < d; ++t) one.covariance(i, j) += factor(i, t) * factor(j, t);
    }
  }
  for (Index i = 0; i < d; ++i) {
    const double sd = std::sqrt(one.covariance(i, i)), low = 2 * normal() * far * sd;
    const double high = low - 2 * sd * std::log(rng.uniform());
    one.box.push_back(
        {rng.uniform() < 0.1 ? -infinity : low, rng.uniform() < 0.2 ? infinity : high});
  }
  return one;
}

/// The same columns in another order, with other signs.
RandomBox mirrored(const RandomBox& one) {
  RandomBox other = one;
  const Index d = one.covariance.rows();
  for (Index i = 0; i < d; ++i) {
    const Interval& own = one.box[static_cast<std::size_t>(d - 1 - i)];
    other.box[static_cast<std::size_t>(i)] = {-own.high, -own.low};
    for (Index j = 0; j < d; ++j) other.covariance(i, j) = one.covariance(d - 1 - i, d - 1 - j);
  }
  return other;
}

TEST(NormalBox, StatesItsErrorInEveryOrderOfTheColumns) {
  Rng rng(7);
  for (int i = 0; i < 300; ++i) {
    const RandomBox one = random_box(rng), other = mirrored(one);
    const LogProbability a = box_of(one.box, one.covariance),
                         b = box_of(other.box, other.covariance);
    double smallest = 0;
    for (std::size_t j = 0; j < one.box.size(); ++j) {
      const auto k = static_cast<Index>(j);
      const double sd = std::sqrt(one.covariance(k, k));
      smallest = std::min(smallest, log_normal_between(one.box[j].low / sd, one.box[j].high / sd));
    }
    EXPECT_LE(a.log, smallest);
    EXPECT_LT(a.evaluations, 300000) << i;
    ASSERT_TRUE(a.relative_error >= 0 && std::isfinite(a.relative_error)) << i;
    if (a.log == b.log) continue;
    EXPECT_LE(std::abs(a.log - b.log),
              3 * (a.relative_error + b.relative_error) + 1e-14 * (1 + std::abs(a.log)))
        << i << ' ' << a.log;
  }
}

TEST(NormalBox, FarOutIsAnsweredAfterAnyNumberOfEvaluations) {
  for (const Index d : {2, 3, 5}) {
    for (const double r : {-0.2, 0.5, 0.9999}) {
      for (double low = 100; low < 1e308; low *= low) {
        std::vector<Interval> box(static_cast<std::size_t>(d), {-1, 1});
        box.back() = {low, 2 * low};
        for (const LogProbability& found :
             {box_of(box, equicorrelated(d, r)), box_within(box, equicorrelated(d, r), 10'000)}) {
          EXPECT_LE(found.log, log_normal_between(low, 2 * low)) << low;
          EXPECT_TRUE(std::isfinite(found.relative_error));
        }
      }
    }
  }
  EXPECT_EQ(box_of({{0, 1}, {1e9, 2e9}}, equicorrelated(2, 0.5)).log, -infinity);
}

TEST(NormalBox, OfAPointHasProbabilityZero) {
  for (const Index d : {1, 2, 3, 5}) {
    std::vector<Interval> box(static_cast<std::size_t>(d), {-1, 1});
    box.front() = {0.5, 0.5};
    EXPECT_EQ(box_of(box, equicorrelated(d, 0.5)).log, -infinity) << d;
  }
}

TEST(NormalBox, ThreadsChangeNoBit) {
  const std::vector<Interval> box(5, {-1, 2});
  NormalBox one(box, equicorrelated(5, 0.3), Rng(1)), four(box, equicorrelated(5, 0.3), Rng(1));
  constexpr int doublings = 12;  // so that threads share the last ones
  for (int i = 0; i < doublings; ++i) one.refine(1), four.refine(4);
  EXPECT_EQ(one.estimate().log, four.estimate().log);
  EXPECT_EQ(one.estimate().relative_error, four.estimate().relative_error);
}

/// One column: every way in which a coordinate is drawn has the probability of its interval.
TEST(NormalBox, LatticesOfOneColumnHaveItsProbability) {
  for (const double tilt : {0.0, 0.7, -0.4}) {
    for (const Interval range : {Interval{-1, 2},
                                 {-infinity, 0.5},
                                 {0.3, infinity},
                                 {-2, -1.9},
                                 {0.5, 0.501},
                                 {3, 3.5},
                                 {-8, -4},
                                 {5, infinity},
                                 {40, 41},
                                 {-infinity, -300},
                                 {1e5, 1e5 + 1e-9},
                                 {-30, 30}}) {
      const kernel::SeparatedBox box{{range}, {}, {tilt}};
      kernel::ShiftedLattice lattice{{1}, kernel::AlignedVector(kernel::lattice_shifts)};
      Rng rng(3);
      for (double& shift : lattice.shifts) shift = rng.uniform();
      kernel::LatticeSums sums;
      constexpr Index points = 1 << 14;
      kernel::add_lattice_points(box, lattice, 0, points, sums);
      const double exact = log_normal_between(range.low, range.high);
      // Without a tilt, the draws in wide intervals all have the same weight.
      const bool constant = tilt == 0 && range.high - range.low > 0.05 && exact > -6;
      const double sure = constant ? 1e-11 : 1e-3;
      for (Index i = 0; i < kernel::lattice_shifts; ++i)
        EXPECT_NEAR(sums.largest[i] + std::log(sums.sum[i] / points), exact,
                    sure + 1e-15 * std::abs(exact))
            << range.low << ' ' << range.high << ' ' << tilt;
    }
  }
}

/// Columns that share one factor, with random loadings: the integral over the factor is exact.
struct OneFactorBox {
  std::vector<Interval> box{};
  Vector loadings{};

  [[nodiscard]] Matrix covariance() const {
    const Index d = std::ssize(box);
    Matrix found(d, d);
    for (Index i = 0; i < d; ++i) {
      for (Index j = 0; j < d; ++j)
        found(i, j) =
            i == j ? 1
                   : loadings[static_cast<std::size_t>(i)] * loadings[static_cast<std::size_t>(j)];
    }
    return found;
  }
  [[nodiscard]] double log_exact() const {
    constexpr double step = 0.01, end = 12;
    Vector logs;
    for (double f = -end; f <= end; f += step) {
      double log = -0.5 * f * f - 0.5 * kernel::log_two_pi + std::log(step);
      for (std::size_t i = 0; i < box.size(); ++i) {
        const double mean = loadings[i] * f, sd = std::sqrt(1 - loadings[i] * loadings[i]);
        log += log_normal_between((box[i].low - mean) / sd, (box[i].high - mean) / sd);
      }
      logs.push_back(log);
    }
    return kernel::log_sum(logs);
  }
};

OneFactorBox random_one_factor_box(std::size_t columns, Rng& rng) {
  OneFactorBox one;
  const double far = rng.uniform() < 0.2 ? 2 : 1;
  const double largest = rng.uniform() < 0.2 ? 0.999 : 0.9;
  for (std::size_t i = 0; i < columns; ++i) {
    const double low = far * rng.normal() - 1.5;
    one.box.push_back({rng.uniform() < 0.1 ? -infinity : low,
                       rng.uniform() < 0.3 ? infinity : low - 3 * std::log(rng.uniform())});
    one.loadings.push_back(largest * (2 * rng.uniform() - 1));
  }
  return one;
}

TEST(NormalBox, IsBoundedBeforeItIsIntegrated) {
  Rng rng(13);
  for (int i = 0; i < 200; ++i) {
    OneFactorBox one = random_one_factor_box(2 + static_cast<std::size_t>(i) % 9, rng);
    for (Interval& own : one.box) {  // half of them nearly certain
      if (i % 2 == 0) own.low -= 6, own.high += 6;
    }
    const LogProbability bounded = NormalBox(one.box, one.covariance(), Rng(1)).estimate();
    EXPECT_EQ(bounded.evaluations, 0);
    EXPECT_EQ(bounded.relative_error, 0);
    EXPECT_LE(bounded.relative_bound, 1);
    EXPECT_LE(std::abs(std::expm1(one.log_exact() - bounded.log)), bounded.relative_bound + 1e-12);
  }
}

/// The stated error covers the truth in 99 % of all boxes, however little work is done.
TEST(NormalBox, StatedErrorsCoverTheTruth) {
  Rng rng(11);
  for (const Index max_evaluations : {6'000, 50'000}) {
    int inside = 0, count = 0;
    for (const std::size_t columns : {3U, 4U, 5U, 7U, 10U}) {
      for (int i = 0; i < 60; ++i, ++count) {
        const OneFactorBox one = random_one_factor_box(columns, rng);
        const LogProbability found = box_within(one.box, one.covariance(), max_evaluations);
        ASSERT_LE(found.evaluations, max_evaluations);
        inside += std::abs(std::expm1(one.log_exact() - found.log)) <= found.relative_error;
      }
    }
    EXPECT_GE(inside, 0.99 * count) << max_evaluations;
  }
}

/// Three columns that nearly depend on one another: the integrand has steps.
TEST(NormalBox, StatedErrorsCoverTheTruthOfNearlySingularCovariances) {
  Rng rng(12);
  int inside = 0, count = 0;
  while (count < 150) {
    OneFactorBox one = random_one_factor_box(3, rng);
    const double rest = std::pow(10, -2 - 6 * rng.uniform());
    for (double& loading : one.loadings) loading = std::copysign(std::sqrt(1 - rest), loading);
    const LogProbability exact = box_of(one.box, one.covariance());
    if (exact.log < -30) continue;  // out of reach of any draw
    const LogProbability found = box_within(one.box, one.covariance(), 50'000);
    inside += std::abs(std::expm1(exact.log - found.log)) <= found.relative_error;
    ++count;
  }
  EXPECT_GE(inside, 0.99 * count);
}

/// In corners far out the tilted lattice is as precise as in the middle.
TEST(NormalBox, CornersFarOutHaveSmallRelativeErrors) {
  const std::vector<Interval> box(10, {3, infinity});
  const LogProbability found = box_within(box, equicorrelated(10, 0.5), 50'000);
  EXPECT_NEAR(found.log, log_equicorrelated(box, 0.5), found.relative_error);
  EXPECT_LT(found.relative_error, 5e-3);
}

/// Beyond 20 columns most of the factor is made several columns at a time; beyond 300 the most
/// probable columns are bounded.
TEST(NormalBox, OfManyColumnsCoversTheTruth) {
  for (const Index d : {23, 42, 101, 302}) {
    for (const double low : {-infinity, -2.5, -5.0}) {
      const std::vector<Interval> box(static_cast<std::size_t>(d), {low, 4});
      const LogProbability found = box_within(box, equicorrelated(d, 0.4), 400'000);
      EXPECT_LE(std::abs(std::expm1(log_equicorrelated(box, 0.4) - found.log)), found.error())
          << d << ' ' << low;
      if (low < -3) {
        EXPECT_LT(found.error(), 0.02) << d;
      }
    }
  }
}

TEST(NormalBox, MadeLaterIsTheSame) {
  const std::vector<Interval> box{{-1, 2}, {0, 3}, {-2, 0.5}, {1, 2}};
  NormalBox now(box, equicorrelated(4, 0.3), Rng(1));
  NormalBox later({.columns = 4,
                   .bound = kernel::middle_of(0, 0),
                   .make =
                       [&] {
                         return kernel::BoxAndCovariance{box, equicorrelated(4, 0.3)};
                       }},
                  Rng(1));
  EXPECT_EQ(later.estimate().error(), 1);
  EXPECT_DOUBLE_EQ(std::exp(later.estimate().log), 0.5);
  const Index announced = later.next_evaluations();
  now.refine(1), later.refine(1);
  EXPECT_EQ(now.estimate().log, later.estimate().log);
  EXPECT_EQ(now.estimate().error(), later.estimate().error());
  EXPECT_EQ(later.estimate().evaluations, announced);
}

}  // namespace
}  // namespace genera::normal_box_test
