// Laws and closed forms of the Gaussian family.
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <genera/evaluate.hpp>
#include <genera/fit.hpp>
#include <genera/query.hpp>

#include "support/problems.hpp"

namespace genera::family_test {
namespace {

using testing::largest_difference;
using testing::random_table;
using testing::whole_family;

const GaussianBlock& block_of(const Model& model) {
  return std::get<GaussianBlock>(model.blocks().front());
}

Recipe unbiased(Recipe recipe) {
  recipe.gaussian.divisor = Divisor::unbiased;
  return recipe;
}

TEST(Family, EstimatesAreTheLectureFormulas) {  // by hand, from six points
  const Table table = make_table({"a", "b"}, Matrix(6, 2, {0, 0, 2, 0, 1, 3, 5, 5, 7, 9, 9, 7}),
                                 {"l", "l", "l", "r", "r", "r"});
  const Model q = fit(table, qda()).model;
  EXPECT_EQ(q.classes(), (std::vector<std::string>{"l", "r"}));
  EXPECT_EQ(q.prior().probabilities(), (Vector{0.5, 0.5}));
  EXPECT_LT(largest_difference(block_of(q).parameters().means, Matrix(2, 2, {1, 1, 7, 7})), 1e-15);
  EXPECT_LT(largest_difference(block_of(q).covariance(0), Matrix(2, 2, {2.0 / 3, 0, 0, 2})), 1e-15);
  EXPECT_LT(largest_difference(block_of(q).covariance(1),
                               Matrix(2, 2, {8.0 / 3, 4.0 / 3, 4.0 / 3, 8.0 / 3})),
            1e-15);
  const Model l = fit(table, unbiased(lda())).model;  // pooled scatter over n - K = 4
  EXPECT_LT(largest_difference(block_of(l).covariance(0), Matrix(2, 2, {2.5, 1, 1, 3.5})), 1e-15);
  EXPECT_LT(largest_difference(block_of(fit(table, dlda()).model).covariance(1),
                               Matrix(2, 2, {10.0 / 6, 0, 0, 14.0 / 6})),
            1e-15);
  EXPECT_LT(largest_difference(block_of(fit(table, gaussian_naive_bayes()).model).covariance(0),
                               Matrix(2, 2, {2.0 / 3, 0, 0, 2})),
            1e-15);
}

TEST(Family, SphericalIsTheMeanOfVariancesInUnitsOfTheTotalDeviation) {
  const Table table = random_table(300, 3, 2, 11);
  Recipe raw = spherical();
  raw.gaussian.raw_units = true;
  const Matrix of_gnb = block_of(fit(table, gaussian_naive_bayes()).model).parameters().variances;
  const Matrix plain = block_of(fit(table, raw).model).parameters().variances;
  for (Index k = 0; k < 2; ++k) {
    const double mean = (of_gnb(k, 0) + of_gnb(k, 1) + of_gnb(k, 2)) / 3;
    for (Index j = 0; j < 3; ++j) EXPECT_NEAR(plain(k, j), mean, 1e-13 * mean);
  }
  Matrix total(1, 3);
  for (Index j = 0; j < 3; ++j) {
    double mean = 0;
    for (Index i = 0; i < 300; ++i) mean += table.numbers(i, j) / 300;
    for (Index i = 0; i < 300; ++i) total(0, j) += std::pow(table.numbers(i, j) - mean, 2) / 300;
  }
  const Matrix scaled = block_of(fit(table, spherical()).model).parameters().variances;
  double sigma2 = 0;
  for (Index j = 0; j < 3; ++j) sigma2 += of_gnb(1, j) / total(0, j) / 3;
  for (Index j = 0; j < 3; ++j)
    EXPECT_NEAR(scaled(1, j), sigma2 * total(0, j), 1e-12 * scaled(1, j));
}

TEST(Family, AVariancePriorIsSoManyRowsOfThePooledVariances) {  // by hand, from six points
  const Table table = make_table({"a", "b"}, Matrix(6, 2, {0, 0, 2, 0, 1, 3, 5, 5, 7, 9, 9, 7}),
                                 {"l", "l", "l", "r", "r", "r"});
  Recipe recipe = gaussian_naive_bayes();
  recipe.gaussian.variance_prior = 2;
  const GaussianParameters p = block_of(fit(table, recipe).model).parameters();
  // scatter 2, 6 in l and 8, 8 in r; pooled variances 10/6, 14/6; 3 rows each
  const Matrix expected(2, 2,
                        {(2 + 2 * 10.0 / 6) / 5, (6 + 2 * 14.0 / 6) / 5, (8 + 2 * 10.0 / 6) / 5,
                         (8 + 2 * 14.0 / 6) / 5});
  EXPECT_LT(largest_difference(p.variances, expected), 1e-15);
  EXPECT_EQ(p.variance_prior, 2);
}

TEST(Family, FreeParametersAreThoseOfTheTable) {
  const Table table = random_table(300, 4, 3, 12);
  const Index expected[] = {3 * 10, 10, 3 * 4, 4, 3, 1, 3 * 10 + 2};
  const std::vector<Recipe> recipes = whole_family();
  for (std::size_t i = 0; i < recipes.size(); ++i) {
    const auto count = fit(table, recipes[i]).model.free_parameters();
    EXPECT_EQ(count.covariances, expected[i]);
    EXPECT_EQ(count.total(), 2 + 12 + expected[i]);
  }
}

TEST(Family, RdaContainsQdaLdaAndNaiveBayes) {
  const Table table = random_table(400, 5, 3, 13);
  const auto joint = [&](const Recipe& recipe) {
    return log_joint(fit(table, recipe).model, table);
  };
  EXPECT_LT(largest_difference(joint(rda(1, 0)), joint(qda())), 1e-12);
  EXPECT_LT(largest_difference(joint(rda(0, 0)), joint(lda())), 1e-12);
  EXPECT_LT(largest_difference(joint(rda(1, 1)), joint(gaussian_naive_bayes())), 1e-11);
}

TEST(Family, RdaMixesAsDefined) {
  const Table table = random_table(200, 3, 2, 14);
  const Matrix own = block_of(fit(table, qda()).model).covariance(1),
               pooled = block_of(fit(table, lda()).model).covariance(0);
  const Matrix mixed = block_of(fit(table, rda(0.3, 0.2)).model).covariance(1);
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 3; ++j) {
      const double alpha_part = 0.3 * own(i, j) + 0.7 * pooled(i, j);
      EXPECT_NEAR(mixed(i, j), (i == j ? 1 : 0.8) * alpha_part, 1e-13);
    }
  }
}

class EveryMember : public ::testing::TestWithParam<std::size_t> {
 protected:
  [[nodiscard]] Recipe recipe() const { return whole_family()[GetParam()]; }
};
INSTANTIATE_TEST_SUITE_P(Family, EveryMember, ::testing::Range<std::size_t>(0, 7));

TEST_P(EveryMember, UnitsOfTheColumnsChangeNoPosterior) {
  const Table table = random_table(300, 4, 3, 15);
  Table scaled = table;
  const double unit[] = {1e-6, 3e5, 1, 7.7};
  for (Index i = 0; i < 300; ++i) {
    for (Index j = 0; j < 4; ++j) scaled.numbers(i, j) *= unit[j];
  }
  for (Recipe r : {recipe(), unbiased(recipe())}) {
    const Matrix before = posterior(fit(table, r).model, table);
    EXPECT_LT(largest_difference(posterior(fit(scaled, r).model, scaled), before), 1e-11);
  }
}

TEST_P(EveryMember, AShiftOfTheColumnsChangesNoPosterior) {
  const Table table = random_table(300, 3, 3, 16);
  Table shifted = table;
  for (Index i = 0; i < 300; ++i) {
    for (Index j = 0; j < 3; ++j) shifted.numbers(i, j) += 1000;
  }
  EXPECT_LT(largest_difference(posterior(fit(shifted, recipe()).model, shifted),
                               posterior(fit(table, recipe()).model, table)),
            1e-9);
}

TEST_P(EveryMember, WeightTwoIsTheRowTwice) {
  const Table table = random_table(120, 3, 2, 17);
  std::vector<Index> rows;
  Table weighted = table;
  for (Index i = 0; i < 120; ++i) {
    const int copies = static_cast<int>(i % 3) + 1;
    for (int c = 0; c < copies; ++c) rows.push_back(i);
    weighted.weights.push_back(copies);
  }
  for (Recipe r : {recipe(), unbiased(recipe())}) {
    const Model twice = fit(testing::rows_of(table, rows), r).model, once = fit(weighted, r).model;
    EXPECT_LT(largest_difference(log_joint(once, table), log_joint(twice, table)), 1e-11);
  }
}

TEST_P(EveryMember, TheOrderOfRowsAndColumnsDoesNotMatter) {
  const Table table = random_table(150, 3, 3, 18);
  std::vector<Index> reversed = testing::range(0, 150);
  std::reverse(reversed.begin(), reversed.end());
  const Matrix expected = posterior(fit(table, recipe()).model, table);
  EXPECT_LT(largest_difference(
                posterior(fit(testing::rows_of(table, reversed), recipe()).model, table), expected),
            1e-11);
  Table turned = table;
  turned.columns = {{"x2"}, {"x1"}, {"x0"}};
  for (Index i = 0; i < 150; ++i) std::swap(turned.numbers(i, 0), turned.numbers(i, 2));
  EXPECT_LT(largest_difference(posterior(fit(turned, recipe()).model, turned), expected), 1e-11);
}

TEST_P(EveryMember, FitOnShardsThenMergeIsFitOnAll) {
  const Table table = random_table(1000, 4, 3, 19);
  const CollectOptions options{.scatter = scatter_needed(recipe())};
  Statistics merged;
  for (Index cut = 0; cut < 1000; cut += 130) {
    const auto rows = testing::range(cut, std::min<Index>(1000, cut + 130));
    merged.merge(collect(testing::rows_of(table, rows), options).statistics);
  }
  EXPECT_LT(largest_difference(log_joint(estimate(merged, recipe()).model, table),
                               log_joint(fit(table, recipe()).model, table)),
            1e-10);
}

TEST_P(EveryMember, OneRowInAClassIsEnoughUnlessTheClassNeedsItsOwnFullCovariance) {
  Table table = random_table(60, 2, 2, 20);
  table.append(make_table({"x0", "x1"}, Matrix(1, 2, {9, 9}), {"lonely"}));
  if (recipe().gaussian.family == Family::qda) {
    EXPECT_NE(testing::error_of([&] {
                (void)fit(table, recipe());
              }).find("class 'lonely' (1 row): the covariance is singular"),
              std::string::npos);
    Recipe shrunk = recipe();
    shrunk.gaussian.on_singular = OnSingular::shrink;
    EXPECT_EQ(predict(fit(table, shrunk).model, Matrix(1, 2, {9, 9})),
              std::vector<std::int32_t>{2});
    return;
  }
  EXPECT_EQ(predict(fit(table, recipe()).model, Matrix(1, 2, {9, 9})),
            std::vector<std::int32_t>{2});
}

TEST(FitWithStatistics, TheModelIsThatOfFitAndOfItsStatistics) {
  const Table table = random_table(200, 3, 2, 12);
  for (const Recipe& recipe : whole_family()) {
    const FittedStatistics both = fit_with_statistics(table, recipe);
    ASSERT_TRUE(both.statistics.has_value());
    EXPECT_EQ(std::get<Model>(both.fitted.model), fit(table, recipe).model);
    EXPECT_EQ(std::get<Model>(both.fitted.model), estimate(*both.statistics, recipe).model);
  }
  const Table texts = make_text_table("t", {"aa bb", "cc bb", "aa cc"}, {"l", "r", "r"});
  const FittedStatistics scorer = fit_with_statistics(texts, complement());
  ASSERT_TRUE(scorer.statistics.has_value());
  EXPECT_EQ(std::get<LinearModel>(scorer.fitted.model), fit(texts, complement()).model);
}

TEST(FitWithStatistics, ThoseOfTextsAreWholeWhateverTheModel) {
  const Table texts = make_text_table("t", {"aa bb bb", "cc bb", "aa cc"}, {"l", "r", "r"});
  const Statistics all = collect(texts).statistics;
  for (const AnyRecipe& recipe :
       {AnyRecipe(multinomial()), AnyRecipe(bernoulli()), AnyRecipe(complement())}) {
    const FittedStatistics both = fit_with_statistics(texts, recipe);
    ASSERT_TRUE(both.statistics.has_value());
    for (std::size_t k = 0; k < all.classes().size(); ++k)
      EXPECT_EQ(both.statistics->classes()[k].terms, all.classes()[k].terms);
    EXPECT_EQ(both.fitted.model, fit(texts, recipe).model);
  }
}

TEST(FitWithStatistics, ThereAreNoneWhereRowsAreNeeded) {
  const Table table = random_table(200, 3, 2, 13);
  Recipe ledoit_wolf = qda();
  ledoit_wolf.gaussian.shrinkage.kind = Shrinkage::Kind::lw;
  EXPECT_FALSE(fit_with_statistics(table, ledoit_wolf).statistics.has_value());
  EXPECT_FALSE(fit_with_statistics(table, logistic()).statistics.has_value());
  EXPECT_FALSE(
      fit_with_statistics(testing::with_missing(table, 0.1, 14), qda()).statistics.has_value());
  EXPECT_FALSE(fit_with_statistics(table, mda({.components = {2, 2}})).statistics.has_value());
}

TEST(TrainingLogLikelihood, IsThatOfTheRows) {
  const Table table = testing::random_table(300, 3, 3, 7);
  Recipe shrunk = qda();
  shrunk.gaussian.shrinkage.kind = Shrinkage::Kind::oas;
  for (const Recipe& recipe : {qda(), lda(), gaussian_naive_bayes(), shrunk}) {
    const Fitted<Model> fitted = fit(table, recipe);
    ASSERT_TRUE(fitted.report.training_log_likelihood.has_value());
    const double rows = evaluate(fitted.model, table).log_likelihood();
    EXPECT_NEAR(*fitted.report.training_log_likelihood, rows, 1e-9 * std::abs(rows));
  }
}

}  // namespace
}  // namespace genera::family_test
