#include "blocks/gaussian/estimate/shrinkage.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include <genera/fit.hpp>
#include <genera/query.hpp>

#include "support/problems.hpp"

namespace genera::shrinkage_test {
namespace {

using testing::error_of;
using testing::largest_difference;
using testing::random_table;

const GaussianParameters& parameters(const Model& model) {
  return std::get<GaussianBlock>(model.blocks().front()).parameters();
}

Recipe shrunk(Recipe recipe, Shrinkage shrinkage) {
  recipe.gaussian.shrinkage = shrinkage;
  return recipe;
}

TEST(Oas, IsTheFormulaOfThePaper) {  // by hand: t = 3, q = 1 + 4 + 2 * 0.25, d = 2, nu = 9
  const double q = 5.5, t = 3;
  EXPECT_NEAR(blocks::oas_amount({.trace = t, .squares = q, .d = 2}, 9),
              (0 * q + 9) / ((9 + 1 - 1) * (q - 4.5)), 1e-15);
  EXPECT_EQ(blocks::oas_amount({.trace = 5, .squares = 25, .d = 1}, 9), 0);
  EXPECT_EQ(blocks::oas_amount({.trace = 2, .squares = 2, .d = 2}, 9), 1);
}

TEST(LedoitWolf, AgreesWithTheSlowFormulaOnPooledRows) {
  const Table table = random_table(80, 4, 2, 1);
  Recipe plain = lda();
  const GaussianParameters unshrunk = parameters(fit(table, plain).model);
  const Matrix& s = unshrunk.covariances.front();
  double fourth = 0, t = 0, q = 0;
  for (Index i = 0; i < 80; ++i) {
    const std::string& name =
        table.classes[static_cast<std::size_t>(table.labels[static_cast<std::size_t>(i)])];
    const Index k = name == "c0" ? 0 : 1;
    double norm = 0;
    for (Index j = 0; j < 4; ++j)
      norm += std::pow(table.numbers(i, j) - unshrunk.means(k, j), 2) / s(j, j);
    fourth += norm * norm;
  }
  for (Index i = 0; i < 4; ++i) {
    for (Index j = 0; j < 4; ++j) q += s(i, j) * s(i, j) / s(i, i) / s(j, j);
    t += 1;
  }
  const double rho = (fourth / 6400 - q / 80) / (q - t * t / 4);
  const GaussianParameters found =
      parameters(fit(table, shrunk(lda(), {Shrinkage::Kind::lw})).model);
  ASSERT_EQ(found.shrinkage.size(), 1U);
  EXPECT_NEAR(found.shrinkage[0], rho, 1e-12);
  EXPECT_NEAR(found.covariances[0](0, 1), (1 - rho) * s(0, 1), 1e-12);
  EXPECT_NEAR(found.covariances[0](2, 2), s(2, 2), 1e-12);
}

TEST(Shrinkage, TheAmountIsFreeOfUnitsAndOfTheDivisor) {
  const Table table = random_table(60, 4, 3, 2);
  Table scaled = table;
  for (Index i = 0; i < 60; ++i) scaled.numbers(i, 1) *= 1e-5;
  for (const auto kind : {Shrinkage::Kind::oas, Shrinkage::Kind::lw}) {
    for (const Recipe& recipe : {shrunk(qda(), {kind}), shrunk(lda(), {kind})}) {
      const auto a = parameters(fit(table, recipe).model).shrinkage,
                 b = parameters(fit(scaled, recipe).model).shrinkage;
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-12);
      EXPECT_LT(largest_difference(posterior(fit(table, recipe).model, table),
                                   posterior(fit(scaled, recipe).model, scaled)),
                1e-11);
    }
  }
}

TEST(Shrinkage, FullMovesAllTheWay) {
  const Table table = random_table(200, 3, 2, 3);
  const GaussianParameters p =
      parameters(fit(table, shrunk(lda(), {Shrinkage::Kind::fixed, 1})).model);
  const GaussianParameters of_dlda = parameters(fit(table, dlda()).model);
  for (Index j = 0; j < 3; ++j) EXPECT_NEAR(p.covariances[0](j, j), of_dlda.variances(0, j), 1e-12);
  EXPECT_EQ(p.covariances[0](0, 2), 0);
}

TEST(LedoitWolf, TakesTheSameRowsInBothPasses) {
  Table table = random_table(40, 3, 2, 6);
  Table with_missing_cell = table;
  with_missing_cell.append(make_table({"x0", "x1", "x2"}, Matrix(1, 3, {1e6, NAN, 0}), {"c0"}));
  const Recipe recipe = shrunk(lda(), {Shrinkage::Kind::lw});
  EXPECT_EQ(parameters(fit(with_missing_cell, recipe, {.missing = Missing::drop}).model).shrinkage,
            parameters(fit(table, recipe).model).shrinkage);
}

TEST(Oas, OfHardlyARowShrinksAllTheWay) {
  EXPECT_EQ(blocks::oas_amount({.trace = 3, .squares = 7, .d = 2}, -0.5), 1);
}

TEST(Shrinkage, MakesMoreColumnsThanRowsPossible) {
  const Table table = random_table(24, 40, 2, 4);
  for (const Recipe& recipe : {shrunk(qda(), {Shrinkage::Kind::oas}),
                               shrunk(lda(), {Shrinkage::Kind::lw}), rda(0.5, 0.5)}) {
    const Matrix p = posterior(fit(table, recipe).model, table);
    for (Index i = 0; i < p.rows(); ++i) EXPECT_NEAR(p(i, 0) + p(i, 1), 1, 1e-12);
  }
}

TEST(Shrinkage, IsRefusedWhereItMeansNothing) {
  EXPECT_EQ(error_of([] { validate(shrunk(rda(0.5, 0), {Shrinkage::Kind::oas}).gaussian); }),
            "rda together with shrinkage would shrink twice | use gamma of rda, or shrinkage "
            "with qda or lda");
  EXPECT_NE(error_of([] {
              validate(shrunk(dlda(), {Shrinkage::Kind::oas}).gaussian);
            }).find("shrinkage is for full covariances, and dlda has none"),
            std::string::npos);
  EXPECT_EQ(error_of([] { validate(rda(1.5, 0).gaussian); }),
            "alpha is 1.5, which is not in [0, 1] | give a number from 0 to 1");
  EXPECT_EQ(error_of([] { validate(rda(0, NAN).gaussian); }),
            "gamma is nan, which is not in [0, 1] | give a number from 0 to 1");
  Recipe negative = gaussian_naive_bayes();
  negative.gaussian.variance_floor = -1;
  EXPECT_EQ(error_of([&] { validate(negative.gaussian); }),
            "the variance floor is -1 | give a number of at least 0");
  const Statistics s = collect(random_table(50, 2, 2, 5)).statistics;
  EXPECT_NE(error_of([&] {
              (void)estimate(s, shrunk(lda(), {Shrinkage::Kind::lw}));
            }).find("Ledoit-Wolf shrinkage needs the rows again"),
            std::string::npos);
  const Statistics d =
      collect(random_table(50, 2, 2, 5), {.scatter = Scatter::diagonal}).statistics;
  EXPECT_NE(error_of([&] { (void)estimate(d, qda()); }).find("qda needs full scatter matrices"),
            std::string::npos);
}

}  // namespace
}  // namespace genera::shrinkage_test
