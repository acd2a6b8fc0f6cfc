#include <cmath>

#include <gtest/gtest.h>

#include <genera/fit.hpp>
#include <genera/query.hpp>

#include "support/problems.hpp"

namespace genera::singular_test {
namespace {

using testing::error_of;
using testing::random_table;

/// x2 = 2 x0 - 3 x1 + 5, in every class.
Table collinear() {
  Table table = random_table(100, 3, 2, 1);
  for (Index i = 0; i < 100; ++i)
    table.numbers(i, 2) = 2 * table.numbers(i, 0) - 3 * table.numbers(i, 1) + 5;
  return table;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Singular, TheErrorNamesWhoseRankColumnsAndCures) {
  const std::string own = error_of([] { (void)fit(collinear(), qda()); });
  EXPECT_TRUE(has(own, "class 'c0' (")) << own;
  EXPECT_TRUE(has(own, "the covariance is singular, of rank 2 in 3 columns")) << own;
  EXPECT_TRUE(has(own, "linearly dependent on the others: '")) << own;
  EXPECT_TRUE(has(own, "shrinkage = oas, model = rda") && has(own, "on_singular = shrink") &&
              has(own, "drop"))
      << own;
  EXPECT_TRUE(has(own, "x2 = 2 x0 - 3 x1 + constant") || has(own, "x1 = ") || has(own, "x0 = "))
      << own;
  const std::string pooled = error_of([] { (void)fit(collinear(), lda()); });
  EXPECT_TRUE(has(pooled, "all classes together (100 rows)")) << pooled;
}

TEST(Singular, EveryCureWorks) {
  const Table table = collinear();
  Recipe oas = qda();
  oas.gaussian.shrinkage.kind = Shrinkage::Kind::oas;
  Recipe policy = qda();
  policy.gaussian.on_singular = OnSingular::shrink;
  for (const Recipe& recipe : {oas, policy, rda(0.5, 0.1), gaussian_naive_bayes()}) {
    const Matrix p = posterior(fit(table, recipe).model, table);
    EXPECT_NEAR(p(0, 0) + p(0, 1), 1, 1e-12);
  }
  const auto [model, report] = fit(table, policy);
  EXPECT_EQ(report.covariances_moved, 2);
  ASSERT_EQ(model.notes().size(), 1U);
  EXPECT_TRUE(has(model.notes()[0], "singular covariances shrunk toward the pooled variances: "))
      << model.notes()[0];
}

TEST(Singular, AConstantColumnIsLeftOutAndNoted) {
  Table table = random_table(50, 3, 2, 2);
  for (Index i = 0; i < 50; ++i) table.numbers(i, 1) = 0.1;
  for (const Recipe& recipe : testing::whole_family()) {
    const Model model = fit(table, recipe).model;
    ASSERT_EQ(model.features().size(), 2U);
    EXPECT_EQ(model.features()[1].name, "x2");
    EXPECT_EQ(model.notes(), std::vector<std::string>{"'x1' is constant and left out"});
  }
}

TEST(Singular, AColumnThatTellsTheClassByItselfIsNamed) {
  Table table = random_table(50, 2, 2, 3);
  for (Index i = 0; i < 50; ++i)
    table.numbers(i, 1) = table.labels[static_cast<std::size_t>(i)] == 0 ? 0.3 : 0.7;
  for (Recipe recipe : testing::whole_family()) {
    const std::string error = error_of([&] { (void)fit(table, recipe); });
    EXPECT_TRUE(has(error, "'x1' is constant within every class but different between classes"))
        << error;
    recipe.gaussian.on_singular = OnSingular::shrink;
    const Model model = fit(table, recipe).model;
    const Family family = recipe.gaussian.family;
    ASSERT_FALSE(model.notes().empty());
    EXPECT_TRUE(has(model.notes()[0], family == Family::gnb
                                          ? "variances are raised to the variance floor ('x1')"
                                          : "warning: 'x1' is constant within every class but "
                                            "different between classes: its variance there is "
                                            "taken to be 0.0001 of the total variance"))
        << model.notes()[0];
    if (family == Family::spherical || family == Family::centroid) continue;  // blind to one column
    EXPECT_EQ(predict(model, table), table.labels);
  }
}

TEST(Singular, AColumnConstantInOneClassIsFlooredOrNamed) {
  Table table = random_table(80, 2, 2, 4);
  for (Index i = 0; i < 80; ++i) {
    if (table.labels[static_cast<std::size_t>(i)] == 0) table.numbers(i, 1) = 4;
  }
  const std::string error = error_of([&] { (void)fit(table, qda()); });
  EXPECT_TRUE(has(error, "class 'c0'") && has(error, "constant there: 'x1'")) << error;
  const auto variances =
      std::get<GaussianBlock>(fit(table, gaussian_naive_bayes()).model.blocks()[0])
          .parameters()
          .variances;
  const auto pooled =
      std::get<GaussianBlock>(fit(table, dlda()).model.blocks()[0]).parameters().variances;
  EXPECT_DOUBLE_EQ(variances(0, 1), 1e-4 * pooled(0, 1));
  Recipe no_floor = gaussian_naive_bayes();
  no_floor.gaussian.variance_floor = 0;
  EXPECT_TRUE(has(error_of([&] { (void)fit(table, no_floor); }),
                  "class 'c0': the variance of 'x1' is zero"));
}

TEST(Singular, TheTestIsFreeOfUnits) {
  Table table = random_table(200, 3, 2, 5);
  for (Index i = 0; i < 200; ++i) {
    table.numbers(i, 0) *= 1e-9;
    table.numbers(i, 2) = 1e8 + table.numbers(i, 2);
  }
  EXPECT_EQ(fit(table, qda()).model.features().size(), 3U);
}

TEST(Singular, ConstantsFarFromZeroAreRecognised) {
  Table table = random_table(50, 2, 2, 6);
  for (Index i = 0; i < 50; ++i) table.numbers(i, 0) = 1e8 / 3 * (1 + (i % 2 ? 1e-16 : 0));
  EXPECT_EQ(fit(table, lda()).model.features().size(), 1U);
}

TEST(Singular, TheRoundingOfAConstantIsNoVariance) {
  Table table = random_table(80, 2, 2, 4);
  for (Index i = 0; i < 80; ++i) {
    if (table.labels[static_cast<std::size_t>(i)] == 0)
      table.numbers(i, 1) = i % 2 ? 0.3 : 0.1 + 0.2;
  }
  const std::string error = error_of([&] { (void)fit(table, qda()); });
  EXPECT_TRUE(has(error, "constant there: 'x1'")) << error;
}

TEST(Singular, AColumnThatTellsTheClassGetsTheFloorAsVariance) {
  Table table = random_table(60, 2, 2, 3);
  for (Index i = 0; i < 60; ++i)
    table.numbers(i, 1) = table.labels[static_cast<std::size_t>(i)] == 0 ? 0 : 1;
  double p = 0;
  for (const std::int32_t label : table.labels) p += label / 60.0;
  for (Recipe recipe : {qda(), lda(), gaussian_naive_bayes(), dlda()}) {
    recipe.gaussian.on_singular = OnSingular::shrink;
    const Model model = fit(table, recipe).model;
    EXPECT_NEAR(std::get<GaussianBlock>(model.blocks()[0]).covariance(0)(1, 1), 1e-4 * p * (1 - p),
                1e-12);
  }
}

TEST(Singular, TheHintOffersWhatWasNotTriedYet) {
  Recipe recipe = rda(1, 0);
  EXPECT_TRUE(has(error_of([&] { (void)fit(collinear(), recipe); }),
                  "| use gamma = 0.1 or on_singular = shrink"));
  Recipe fixed = qda();
  fixed.gaussian.shrinkage = {Shrinkage::Kind::fixed, 0};
  EXPECT_TRUE(
      has(error_of([&] { (void)fit(collinear(), fixed); }),
          "| use model = rda with gamma = 0.1 instead of shrinkage or on_singular = shrink"));
}

TEST(Estimate, RefusesWhatCannotBeAClass) {
  Matrix x(100, 1);
  std::vector<std::string> labels;
  for (Index i = 0; i < 100; ++i) {
    x(i, 0) = std::sin(static_cast<double>(i));
    labels.push_back(std::to_string(0.37 * static_cast<double>(i)));
  }
  EXPECT_TRUE(has(error_of([&] { (void)fit(make_table({"a"}, x, labels), lda()); }),
                  "has 100 different numbers in 100 rows: it looks continuous"));
  Statistics merged = collect(make_table({"a"}, Matrix(2, 1, {1, 2}), {"1", "2"})).statistics;
  merged.merge(collect(make_table({"a"}, Matrix(2, 1, {1, 3}), {"1.0", "2"})).statistics);
  EXPECT_TRUE(has(error_of([&] { (void)estimate(merged, lda()); }),
                  "the labels '1' and '1.0' of 'class' are the same number, written differently"));
}

TEST(Estimate, SaysHowManyVariancesWereRaised) {
  Table table = random_table(30, 2, 2, 5);
  table.append(make_table({"x0", "x1"}, Matrix(1, 2, {9, 9}), {"lonely"}));
  const auto [model, report] = fit(table, gaussian_naive_bayes());
  EXPECT_EQ(model.notes(),
            std::vector<std::string>{
                "warning: 2 of 6 variances are raised to the variance floor ('x0', 'x1'), which "
                "makes posteriors too certain: use variance_prior = 1"});
  EXPECT_EQ(report.variances_raised, 2);
  EXPECT_EQ(report.columns_raised, (std::vector<std::string>{"x0", "x1"}));
  Recipe with_prior = gaussian_naive_bayes();
  with_prior.gaussian.variance_prior = 1;
  EXPECT_EQ(fit(table, with_prior).report.variances_raised, 0);
}

TEST(Estimate, RefusesWhatLeavesNothing) {
  Table constant = random_table(20, 1, 2, 7);
  for (Index i = 0; i < 20; ++i) constant.numbers(i, 0) = 3;
  EXPECT_TRUE(has(error_of([&] { (void)fit(constant, lda()); }), "every feature is constant"));
  Recipe unbiased = lda();
  unbiased.gaussian.divisor = Divisor::unbiased;
  Table light = make_table({"a"}, Matrix(4, 1, {1, 2, 4, 7}), {"x", "x", "y", "y"});
  light.weights.assign(4, 0.25);
  EXPECT_TRUE(has(error_of([&] { (void)fit(light, unbiased); }),
                  "rows of weight 1 in 2 classes leave nothing to divide by"));
  EXPECT_TRUE(has(error_of([] {
                    (void)estimate(Statistics(StatisticsSchema{.features = {{"a"}}, .target = "y"}),
                                   lda());
                  }),
                  "the statistics hold no rows"));
  Table huge = random_table(20, 1, 2, 8);
  for (Index i = 0; i < 20; ++i) huge.numbers(i, 0) *= 1e200;
  EXPECT_TRUE(has(error_of([&] { (void)fit(huge, lda()); }),
                  "the values of 'x0' are too large to be squared"));
}

TEST(Estimate, OneClassIsADensity) {
  const Table table = random_table(50, 2, 1, 9);
  const Model model = fit(table, qda()).model;
  EXPECT_TRUE(has(model.notes().front(), "there is only one class, 'c0'"));
  EXPECT_EQ(posterior(model, table)(3, 0), 1);
}

TEST(Estimate, TwoThousandColumnsOfAHundredRows) {
  const Table table = [] {
    Rng rng(3);
    Matrix x(100, 2000);
    std::vector<std::string> labels, names;
    for (Index i = 0; i < 100; ++i) {
      for (double& value : x.row(i)) value = rng.normal() + (i % 2 ? 0.3 : 0);
      labels.push_back(i % 2 ? "b" : "a");
    }
    for (int j = 0; j < 2000; ++j) names.push_back(std::to_string(j));
    return make_table(names, std::move(x), labels);
  }();
  Recipe recipe = lda();
  recipe.gaussian.shrinkage.kind = Shrinkage::Kind::oas;
  const std::vector<std::int32_t> labels = predict(fit(table, recipe).model, table);
  EXPECT_EQ(labels, table.labels);
}

}  // namespace
}  // namespace genera::singular_test
