#include <numeric>

#include <gtest/gtest.h>

#include "support/em_runs.hpp"
#include "support/mixtures.hpp"
#include "query/generate/draws.hpp"
#include "support/problems.hpp"

namespace genera::mixture_em_test {
namespace {

using testing::Components;
using testing::EmResult;
using testing::run_em;

const std::vector<Family> structures{Family::qda,  Family::lda,       Family::gnb,
                                     Family::dlda, Family::spherical, Family::centroid};

/// Rows of five overlapping components; nobody says which.
Table unlabelled(Index n, std::uint64_t seed = 1) {
  Table table = query::draw_rows(testing::small_mixture_model(), {0, n}, Rng(seed));
  table.labels.clear();
  table.classes.clear();
  table.target.clear();
  return table;
}

Components one_class(Index components) {
  return {{"all"}, std::vector<Index>(static_cast<std::size_t>(components), 0)};
}

/// Responsibilities drawn at random.
Matrix random_start(Index n, Index components, std::uint64_t seed) {
  Rng rng(seed);
  Matrix start(n, components);
  for (Index i = 0; i < n; ++i) {
    double sum = 0;
    for (double& r : start.row(i)) sum += r = std::pow(rng.uniform(), 4) + 1e-3;
    for (double& r : start.row(i)) r /= sum;
  }
  return start;
}

GaussianOptions of(Family family) {
  GaussianOptions options;
  options.family = family;
  return options;
}

Model model_of(const EmResult& em) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < em.weights.size(); ++c) names.push_back(std::to_string(c));
  return {names, Prior(em.weights), {GaussianBlock(em.gaussian)}};
}

double sum(const Vector& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

TEST(Em, NeverLosesLogLikelihood) {
  const Table table = unlabelled(300);
  for (const Family family : structures) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const EmResult em = run_em(table, of(family), one_class(4), random_start(300, 4, seed),
                                 {.max_iterations = 80});
      ASSERT_GT(em.log_likelihood.size(), 3U);
      if (em.on_floor) continue;
      for (std::size_t t = 1; t < em.log_likelihood.size(); ++t)
        EXPECT_GE(em.log_likelihood[t] - em.log_likelihood[t - 1], -1e-9) << name_of(family);
    }
  }
}

TEST(Em, ReportsTheLogLikelihoodOfWhatItReturns) {
  const Table table = unlabelled(500);
  for (const Family family : structures) {
    const EmResult em = run_em(table, of(family), one_class(3), random_start(500, 3, 2),
                               {.max_iterations = 7, .accelerated = false});
    EXPECT_EQ(em.log_likelihood.size(), 7U);
    EXPECT_FALSE(em.converged);
    EXPECT_NEAR(em.log_likelihood.back(), sum(log_density(model_of(em), table)), 1e-8);
    EXPECT_NEAR(sum(em.weights), 1, 1e-12);
  }
}

TEST(Em, EndsWhereItsOwnStepChangesNothing) {
  const Table table = unlabelled(800);
  for (const Family family : structures) {
    const EmResult em = run_em(table, of(family), one_class(3), random_start(800, 3, 1),
                               {.max_iterations = 20000, .tolerance = 1e-14});
    ASSERT_TRUE(em.converged);
    const EmResult again = run_em(table, of(family), one_class(3), posterior(model_of(em), table),
                                  {.max_iterations = 1});
    EXPECT_LT(testing::largest_difference(em.gaussian.means, again.gaussian.means), 1e-4);
  }
}

TEST(Em, OfOneComponentIsTheMeanAndTheCovariance) {
  Table table = unlabelled(300);
  const EmResult em = run_em(table, of(Family::qda), one_class(1), Matrix(300, 1, 1.0), {});
  table.target = "t";
  table.classes = {"all"};
  table.labels.assign(300, 0);
  const Model fitted = fit(table, qda()).model;
  const auto& gaussian = std::get<GaussianBlock>(fitted.blocks().front()).parameters();
  EXPECT_LT(testing::largest_difference(em.gaussian.means, gaussian.means), 1e-12);
  EXPECT_LT(testing::largest_difference(em.gaussian.covariances[0], gaussian.covariances[0]),
            1e-12);
  EXPECT_LE(em.log_likelihood.size(), 2U);
}

TEST(Em, HasTheSameBitsForAnyNumberOfThreads) {
  const Table table = unlabelled(9000);
  const Matrix start = random_start(9000, 4, 5);
  for (const Family family : {Family::qda, Family::gnb}) {
    const EmResult one = run_em(table, of(family), one_class(4), start, {.max_iterations = 5}, 1);
    const EmResult three = run_em(table, of(family), one_class(4), start, {.max_iterations = 5}, 3);
    EXPECT_EQ(one.gaussian, three.gaussian);
    EXPECT_EQ(one.log_likelihood, three.log_likelihood);
  }
}

TEST(Em, CountsWeightsAsRepetitions) {
  Table table = unlabelled(200);
  Matrix start = random_start(200, 2, 3);
  std::vector<Index> twice = testing::range(0, 200);
  for (Index i = 0; i < 200; i += 3) twice.push_back(i);
  Table repeated = testing::rows_of(table, twice);
  Matrix repeated_start(std::ssize(twice), 2);
  for (std::size_t i = 0; i < twice.size(); ++i)
    std::ranges::copy(start.row(twice[i]), repeated_start.row(static_cast<Index>(i)).begin());
  table.weights.assign(200, 1.0);
  for (std::size_t i = 0; i < 200; i += 3) table.weights[i] = 2;
  const EmResult a = run_em(table, of(Family::qda), one_class(2), start, {.max_iterations = 10});
  const EmResult b =
      run_em(repeated, of(Family::qda), one_class(2), repeated_start, {.max_iterations = 10});
  EXPECT_LT(testing::largest_difference(a.gaussian.means, b.gaussian.means), 1e-9);
  EXPECT_NEAR(a.log_likelihood.back(), b.log_likelihood.back(), 1e-8);
}

TEST(Em, LeavesLabelledRowsInTheirClass) {
  const Table table = query::draw_rows(testing::small_mixture_model(), {0, 500}, Rng(4));
  const Components components{{"no", "yes"}, {0, 0, 1, 1}};
  Matrix start = random_start(500, 4, 1);
  double rows_of_no = 0;
  for (Index i = 0; i < 500; ++i) {
    const bool no = table.labels[static_cast<std::size_t>(i)] == 0;
    rows_of_no += no;
    const Index first = no ? 0 : 2;
    const double total = start(i, first) + start(i, first + 1);
    for (Index c = 0; c < 4; ++c)
      start(i, c) = c == first || c == first + 1 ? start(i, c) / total : 0;
  }
  for (const Family family : structures) {
    const EmResult em = run_em(table, of(family), components, start, {});
    EXPECT_NEAR(em.weights[0] + em.weights[1], rows_of_no / 500, 1e-12);
    if (em.on_floor) continue;
    for (std::size_t t = 1; t < em.log_likelihood.size(); ++t)
      EXPECT_GE(em.log_likelihood[t] - em.log_likelihood[t - 1], -1e-9);
  }
}

TEST(Em, DoesNotCareAboutUnits) {
  const Table table = unlabelled(400);
  Table scaled = table;
  for (Index i = 0; i < 400; ++i) scaled.numbers(i, 1) *= 1000;
  const Matrix start = random_start(400, 3, 7);
  for (const Family family : structures) {
    const fit_detail::EmOptions ten{.max_iterations = 10};
    const EmResult a = run_em(table, of(family), one_class(3), start, ten);
    const EmResult b = run_em(scaled, of(family), one_class(3), start, ten);
    EXPECT_NEAR(a.log_likelihood.back(), b.log_likelihood.back() + 400 * std::log(1000.0), 1e-6);
    EXPECT_NEAR(a.gaussian.means(1, 1) * 1000, b.gaussian.means(1, 1), 1e-6);
  }
}

/// Thirty equal rows among others: the likelihood of a component on them has no bound.
TEST(Em, KeepsACollapsingComponentRegular) {
  Table table = unlabelled(100);
  Matrix start(100, 2);
  for (Index i = 0; i < 100; ++i) {
    start(i, i < 30 ? 0 : 1) = 1;
    for (Index j = 0; i < 30 && j < 2; ++j) table.numbers(i, j) = 1.25;
  }
  for (const Family family : {Family::qda, Family::gnb, Family::spherical}) {
    const EmResult em = run_em(table, of(family), one_class(2), start, {});
    EXPECT_TRUE(em.on_floor) << name_of(family);
    for (const double value : log_density(model_of(em), table)) EXPECT_TRUE(std::isfinite(value));
    const Matrix covariance = GaussianBlock(em.gaussian).covariance(0);
    EXPECT_GT(covariance(0, 0), 0);
  }
}

/// A column that is constant in every component but not among them.
TEST(Em, KeepsAComponentRegularWhereAColumnTellsItExactly) {
  Table table = unlabelled(120);
  Matrix start(120, 2);
  for (Index i = 0; i < 120; ++i) {
    table.numbers(i, 1) = static_cast<double>(i % 2);
    start(i, i % 2) = 1;
  }
  for (const Family family : structures) {
    const EmResult em = run_em(table, of(family), one_class(2), start, {});
    for (const double value : log_density(model_of(em), table)) EXPECT_TRUE(std::isfinite(value));
    if (family == Family::spherical || family == Family::centroid) continue;
    EXPECT_TRUE(em.on_floor) << name_of(family);
    EXPECT_GT(GaussianBlock(em.gaussian).covariance(1)(1, 1), 1e-6);
  }
}

TEST(Em, GivesUpAComponentWithoutRows) {
  const Table table = unlabelled(100);
  Matrix start(100, 3);
  for (Index i = 0; i < 100; ++i) start(i, i % 2) = 1;
  for (const Family family : structures) {
    const EmResult em = run_em(table, of(family), one_class(3), start, {});
    EXPECT_EQ(em.weights[2], 0);
    EXPECT_TRUE(em.on_floor);
    EXPECT_NEAR(sum(em.weights), 1, 1e-12);
    EXPECT_TRUE(std::isfinite(em.log_likelihood.back()));
  }
}

}  // namespace
}  // namespace genera::mixture_em_test
