#include <cmath>

#include <gtest/gtest.h>

#include <genera/evaluate.hpp>
#include <genera/fit.hpp>

#include "support/problems.hpp"

namespace genera::calibration_test {
namespace {

using testing::error_of;

// The examples of scikit-learn's roc_auc_score and average_precision_score.
TEST(Ranking, OfTheExamplesOfScikitLearn) {
  EXPECT_EQ(area_under_roc({0.35, 0.8}, {0.1, 0.4}), 0.75);
  EXPECT_NEAR(*average_precision({0.35, 0.8}, {0.1, 0.4}), 0.8333333333333333, 1e-15);
}

TEST(Ranking, TiesCountHalf) {
  EXPECT_EQ(area_under_roc({1, 1, 1}, {1, 1}), 0.5);
  EXPECT_EQ(area_under_roc({2, 1}, {1, 0}), 3.5 / 4);
  EXPECT_EQ(average_precision({1, 1, 1}, {1, 1}), 0.6);  // one threshold, at which all are taken
  EXPECT_NEAR(*average_precision({2, 1}, {1, 0}), 0.5 * 1 + 0.5 * 2 / 3, 1e-15);
}

TEST(Ranking, OfOneKindAloneIsNone) {
  EXPECT_EQ(area_under_roc({1}, {}), std::nullopt);
  EXPECT_EQ(area_under_roc({}, {1}), std::nullopt);
  EXPECT_EQ(average_precision({}, {1}), std::nullopt);
  EXPECT_EQ(average_precision({0.1, 0.2}, {}), 1);
}

/// Two classes of normals, each of `columns` columns, with labels of chance.
struct Problem {
  Table table;
  Model model;
  Matrix posteriors;
};
Problem two_classes(Index rows) {
  Table table = testing::random_table(rows, 3, 2, 11);
  Model model = fit(table, gaussian_naive_bayes()).model;
  Matrix posteriors = posterior(model, table);
  return {std::move(table), std::move(model), std::move(posteriors)};
}

/// Pair by pair.
double brute_force_auc(const Problem& problem, Index positive) {
  double sum = 0, pairs = 0;
  for (Index i = 0; i < problem.posteriors.rows(); ++i) {
    if (problem.table.labels[static_cast<std::size_t>(i)] != positive) continue;
    for (Index j = 0; j < problem.posteriors.rows(); ++j) {
      if (problem.table.labels[static_cast<std::size_t>(j)] == positive) continue;
      const double a = problem.posteriors(i, positive), b = problem.posteriors(j, positive);
      sum += a > b ? 1 : a == b ? 0.5 : 0;
      ++pairs;
    }
  }
  return sum / pairs;
}

TEST(Calibration, RanksAreThoseOfAllPairs) {
  const Problem problem = two_classes(400);
  const Evaluation e = evaluate(problem.model, problem.table);
  ASSERT_EQ(problem.table.classes, problem.model.classes());
  for (const Index positive : {0, 1})
    EXPECT_NEAR(*e.area_under_roc(positive), brute_force_auc(problem, positive), 1e-14);
  EXPECT_EQ(e.area_under_roc(), e.area_under_roc(1));
  EXPECT_EQ(error_of([&] { (void)e.area_under_roc(2); }),
            "the positive class is number 2 of 2 | give its place among the classes of the model");
}

TEST(Calibration, BinsAreWhatCanBeCountedByHand) {
  const Problem problem = two_classes(500);
  const Evaluation e = evaluate(problem.model, problem.table);
  const std::vector<ReliabilityBin> bins = e.reliability();
  ASSERT_EQ(bins.size(), 15U);
  double error = 0;
  for (std::size_t b = 0; b < bins.size(); ++b) {
    EXPECT_EQ(bins[b].low, static_cast<double>(b) / 15);
    EXPECT_EQ(bins[b].high, static_cast<double>(b + 1) / 15);
    double rows = 0, confidence = 0, right = 0;
    for (Index i = 0; i < problem.posteriors.rows(); ++i) {
      const Index best = problem.posteriors(i, 1) > problem.posteriors(i, 0) ? 1 : 0;
      const double top = problem.posteriors(i, best);
      if (!(top > bins[b].low && top <= bins[b].high)) continue;
      ++rows;
      confidence += top;
      right += problem.table.labels[static_cast<std::size_t>(i)] == best ? 1 : 0;
    }
    EXPECT_EQ(static_cast<double>(bins[b].rows), rows);
    EXPECT_NEAR(bins[b].confidence, rows > 0 ? confidence / rows : 0, 1e-13);
    EXPECT_NEAR(bins[b].accuracy, rows > 0 ? right / rows : 0, 1e-13);
    error += std::abs(right - confidence) / 500;
  }
  EXPECT_NEAR(e.expected_calibration_error(), error, 1e-13);
}

TEST(Calibration, AProbabilityOnAnEdgeBelongsBelow) {
  // A row without features has the prior: 1/3 of three classes, 5/15 exactly.
  const GaussianBlock block({.structure = Covariance::tied,
                             .columns = {"x"},
                             .means = Matrix(3, 1, {0, 0, 0}),
                             .covariances = {Matrix(1, 1, {1})}});
  const Model model({"a", "b", "c"}, Prior::uniform(3), {block});
  const Table table = make_table({"x"}, Matrix(3, 1, {-1, 0, 2}), {"a", "b", "a"});
  const Evaluation e = evaluate(model, table);
  EXPECT_EQ(e.reliability()[4].rows, 3);
  EXPECT_NEAR(e.reliability()[4].accuracy, 2.0 / 3, 1e-15);
  EXPECT_EQ(e.area_under_roc(), std::nullopt);  // three classes have no positive one
  EXPECT_EQ(e.average_precision(), std::nullopt);
}

TEST(Calibration, PartsAddUp) {
  const Problem problem = two_classes(300);
  const Evaluation whole = evaluate(problem.model, problem.table);
  Evaluation sum = evaluate(problem.model, testing::rows_of(problem.table, testing::range(0, 77)));
  sum.merge(evaluate(problem.model, testing::rows_of(problem.table, testing::range(77, 300))));
  EXPECT_EQ(sum.area_under_roc(), whole.area_under_roc());
  EXPECT_EQ(sum.average_precision(), whole.average_precision());
  EXPECT_NEAR(sum.expected_calibration_error(), whole.expected_calibration_error(), 1e-14);
  for (std::size_t b = 0; b < 15; ++b)
    EXPECT_EQ(sum.reliability()[b].rows, whole.reliability()[b].rows);
}

// The table of probabilities is about the most probable class, whatever errors cost.
TEST(Calibration, CostsChangeDecisionsOnly) {
  const Problem problem = two_classes(200);
  const Costs costs(problem.model.classes(), {2, 2, {0, 1, 50, 0}});
  const Evaluation usual = evaluate(problem.model, problem.table);
  const Evaluation dear = evaluate(problem.model, problem.table, {.costs = costs});
  EXPECT_GT(dear.errors(), usual.errors());
  EXPECT_EQ(dear.expected_calibration_error(), usual.expected_calibration_error());
  EXPECT_EQ(dear.area_under_roc(), usual.area_under_roc());
}

}  // namespace
}  // namespace genera::calibration_test
