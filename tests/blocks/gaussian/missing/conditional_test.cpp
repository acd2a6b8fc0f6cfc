#include "blocks/gaussian/missing/conditional.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <genera/random.hpp>

#include "kernel/index.hpp"

namespace genera::detail::gaussian_conditional_test {
namespace {

using kernel::at;
using kernel::panel_rows;
using Need = GaussianConditional::Need;
using Long = long double;
using LongMatrix = std::vector<std::vector<Long>>;

/// Columns share one cause, and the last two all but a part `own` of their variance; units differ.
Matrix covariance(Index d, double own, Rng& rng) {
  Matrix loadings(d, d + 1);
  for (Index i = 0; i < d; ++i) {
    loadings(i, 0) = 0.8 * rng.normal();
    for (Index j = 1; j <= d; ++j)
      loadings(i, j) =
          (i + 1 == j ? 1 : 0) + 0.4 * rng.normal() / std::sqrt(static_cast<double>(d));
  }
  for (Index j = 0; j <= d; ++j)
    loadings(d - 1, j) = loadings(d - 2, j) + std::sqrt(own) * loadings(d - 1, j);
  Matrix s(d, d);
  for (Index i = 0; i < d; ++i) {
    const double unit_i = std::pow(10.0, static_cast<double>(i % 7 - 3));
    for (Index j = 0; j < d; ++j) {
      const double unit_j = std::pow(10.0, static_cast<double>(j % 7 - 3));
      for (Index t = 0; t <= d; ++t) s(i, j) += unit_i * loadings(i, t) * (loadings(j, t) * unit_j);
    }
    for (Index j = 0; j < i; ++j) s(i, j) = s(j, i);
  }
  return s;
}

GaussianParameters parameters(Index d, double own, bool shared) {
  Rng rng(7);
  GaussianParameters p;
  p.means = Matrix(3, d);
  for (Index j = 0; j < d; ++j) {
    p.columns.push_back("x" + std::to_string(j));
    for (Index k = 0; k < 3; ++k)
      p.means(k, j) = rng.normal() * std::pow(10.0, static_cast<double>(j % 7 - 3));
  }
  for (int k = 0; k < (shared ? 1 : 3); ++k) p.covariances.push_back(covariance(d, own, rng));
  return p;
}

/// Rows of class 0, d x 16.
kernel::AlignedVector panel_of(const GaussianParameters& p, Rng& rng) {
  const Index d = p.means.columns();
  kernel::AlignedVector panel(at(d * panel_rows));
  for (Index j = 0; j < d; ++j) {
    for (Index lane = 0; lane < panel_rows; ++lane)
      panel[at(j * panel_rows + lane)] =
          p.means(0, j) + 1.5 * rng.normal() * std::sqrt(p.covariances[0](j, j));
  }
  return panel;
}

struct Columns {
  std::vector<Index> observed, missing;
};
/// Each of so many columns is missing, and the last; negative: observed.
Columns every(Index step, Index d) {
  Columns columns;
  for (Index j = 0; j < d; ++j) {
    const bool among = j % std::abs(step) == std::abs(step) - 1 || j == d - 1;
    (among == (step > 0) ? columns.missing : columns.observed).push_back(j);
  }
  return columns;
}

/// By the textbook, from S_oo, with more digits.
struct Reference {
  Reference(const GaussianParameters& p, Index k, const Columns& columns, const double* panel,
            Index lane) {
    const Matrix& s = p.covariances[p.covariances.size() == 1 ? 0 : at(k)];
    const std::size_t o = columns.observed.size(), m = columns.missing.size();
    LongMatrix l(o, std::vector<Long>(o));
    std::vector<Long> z(o);
    Long log_det = 0;
    for (std::size_t i = 0; i < o; ++i) {
      const Index row = columns.observed[i];
      z[i] = Long(panel[row * panel_rows + lane]) - p.means(k, row);
      for (std::size_t j = 0; j <= i; ++j) {
        Long rest = s(row, columns.observed[j]);
        for (std::size_t t = 0; t < j; ++t) rest -= l[i][t] * l[j][t];
        l[i][j] = i == j ? std::sqrt(rest) : rest / l[j][j];
      }
      for (std::size_t t = 0; t < i; ++t) z[i] -= l[i][t] * z[t];
      z[i] /= l[i][i];
      square += z[i] * z[i];
      log_det += 2 * std::log(l[i][i]);
    }
    log_constant = -(Long(o) * std::log(2 * std::numbers::pi_v<Long>) + log_det) / 2;
    LongMatrix half(m, std::vector<Long>(o));  // S_mo L_oo'^-1
    expected.resize(m);
    spread.assign(m, std::vector<Long>(m));
    for (std::size_t a = 0; a < m; ++a) {
      expected[a] = p.means(k, columns.missing[a]);
      for (std::size_t i = 0; i < o; ++i) {
        half[a][i] = s(columns.missing[a], columns.observed[i]);
        for (std::size_t t = 0; t < i; ++t) half[a][i] -= l[i][t] * half[a][t];
        half[a][i] /= l[i][i];
        expected[a] += half[a][i] * z[i];
      }
      for (std::size_t b = 0; b <= a; ++b) {
        spread[a][b] = s(columns.missing[a], columns.missing[b]);
        for (std::size_t i = 0; i < o; ++i) spread[a][b] -= half[a][i] * half[b][i];
      }
    }
  }
  Long square = 0, log_constant = 0;
  std::vector<Long> expected;
  LongMatrix spread;
};

constexpr Index width = 40;

/// What is found of all classes, as parts of what it may be off.
double worst_error(const GaussianParameters& p, Index step) {
  const GaussianDensity density(p);
  GaussianConditional conditional(p, &density);
  const Columns columns = every(step, width);
  conditional.observe(columns.observed, Need::rest);
  Rng rng(3);
  const kernel::AlignedVector rows = panel_of(p, rng);
  double worst = 0;
  const auto compare = [&](double found, Long expected, Long scale) {
    worst = std::max(worst, static_cast<double>(std::abs(found - expected) / std::abs(scale)));
  };
  alignas(64) double squares[panel_rows];
  for (Index k = 0; k < 3; ++k) {
    kernel::AlignedVector filled = rows;
    conditional.fill(k, filled.data(), squares);
    Matrix scatter(width, width);
    conditional.add_covariance(k, 1, scatter);
    for (Index lane = 0; lane < panel_rows; lane += 5) {
      const Reference reference(p, k, columns, rows.data(), lane);
      compare(squares[lane], reference.square, reference.square);
      compare(conditional.log_constant(k), reference.log_constant, reference.log_constant);
      for (std::size_t a = 0; a < columns.missing.size(); ++a) {
        const Index i = columns.missing[a];
        const Long own = std::sqrt(p.covariances[p.covariances.size() == 1 ? 0 : at(k)](i, i));
        compare(filled[at(i * panel_rows + lane)], reference.expected[a],
                std::abs(reference.expected[a]) + own);
        for (std::size_t b = 0; b <= a; ++b)
          compare(scatter(i, columns.missing[b]), reference.spread[a][b],
                  std::sqrt(reference.spread[a][a] * reference.spread[b][b]));
      }
    }
  }
  return worst;
}

TEST(GaussianConditional, AgreesWithTheTextbookToTwelveDigitsWhicheverBlockIsSmaller) {
  for (const double own : {0.5, 1e-2, 3e-3}) {
    for (const bool shared : {false, true}) {
      const GaussianParameters p = parameters(width, own, shared);
      for (const Index step : {2, 3, 10, 40, -3, -10})
        EXPECT_LT(worst_error(p, step), 1e-12) << own << ' ' << shared << ' ' << step;
    }
  }
}

TEST(GaussianConditional, InvertsCovariancesInAnyUnitsUnlessTheyAreInflated) {
  const GaussianParameters plain = parameters(width, 3e-3, false);
  const GaussianParameters inflated = parameters(width, 3e-4, false);
  for (Index k = 0; k < 3; ++k) {
    EXPECT_NE(GaussianDensity(plain).precision(plain, k), nullptr);
    EXPECT_EQ(GaussianDensity(inflated).precision(inflated, k), nullptr);
  }
}

TEST(GaussianConditional, OfInflatedCovariancesGoesByTheObservedBlock) {
  const GaussianParameters p = parameters(width, 1e-8, false);
  const GaussianDensity density(p);
  GaussianConditional with(p, &density), without(p);
  const Columns columns = every(10, width);
  Rng rng(3);
  kernel::AlignedVector one = panel_of(p, rng), other = one;
  alignas(64) double squares[panel_rows], same[panel_rows];
  with.observe(columns.observed, Need::rest);
  without.observe(columns.observed, Need::rest);
  for (Index k = 0; k < 3; ++k) {
    with.fill(k, one.data(), squares);
    without.fill(k, other.data(), same);
    EXPECT_EQ(one, other);
    EXPECT_TRUE(std::equal(squares, squares + panel_rows, same));
    EXPECT_EQ(with.log_constant(k), without.log_constant(k));
  }
}

TEST(GaussianConditional, OneRowHasTheBitsOfAPanel) {
  for (const bool shared : {false, true}) {
    const GaussianParameters p = parameters(width, 0.5, shared);
    const GaussianDensity density(p);
    GaussianConditional conditional(p, &density);
    conditional.observe(every(10, width).observed, Need::rest);
    Rng rng(3);
    const kernel::AlignedVector rows = panel_of(p, rng);
    kernel::AlignedVector all = rows;
    alignas(64) double squares[panel_rows], three[3 * panel_rows], one[3 * panel_rows];
    conditional.all_distances(rows.data(), three);
    conditional.fill(1, all.data(), squares);
    for (Index lane = 0; lane < panel_rows; ++lane) {
      kernel::AlignedVector alone(rows.size());
      for (Index j = 0; j < width; ++j) alone[at(j * panel_rows)] = rows[at(j * panel_rows + lane)];
      conditional.all_distances(alone.data(), one, 1);
      for (Index k = 0; k < 3; ++k) EXPECT_EQ(one[k * panel_rows], three[k * panel_rows + lane]);
      double square[panel_rows];
      conditional.fill(1, alone.data(), square, 1);
      EXPECT_EQ(square[0], squares[lane]);
      for (Index j = 0; j < width; ++j)
        EXPECT_EQ(alone[at(j * panel_rows)], all[at(j * panel_rows + lane)]);
    }
  }
}

TEST(GaussianConditional, OfASharedCovarianceScoresAsItsDistancesDo) {
  const GaussianParameters p = parameters(width, 0.5, true);
  const GaussianDensity density(p);
  GaussianConditional conditional(p, &density);
  Rng rng(3);
  const kernel::AlignedVector rows = panel_of(p, rng);
  alignas(64) double squares[3 * panel_rows], scores[3 * panel_rows], own[panel_rows];
  for (const Index step : {2, 10}) {
    conditional.observe(every(step, width).observed, Need::marginal);
    conditional.linear_scores(rows.data(), scores);
    conditional.all_distances(rows.data(), squares);
    for (Index k = 0; k < 3; ++k) {
      conditional.distances(k, rows.data(), own);
      for (Index lane = 0; lane < panel_rows; ++lane) {
        const double square = squares[k * panel_rows + lane];
        EXPECT_NEAR(square, own[lane], 1e-11 * own[lane]);
        EXPECT_NEAR(scores[k * panel_rows + lane] - scores[lane], (squares[lane] - square) / 2,
                    1e-11 * (square + squares[lane]));
      }
    }
  }
}

}  // namespace
}  // namespace genera::detail::gaussian_conditional_test
