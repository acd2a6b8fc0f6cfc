#include <gtest/gtest.h>

#include <cmath>

#include <genera/description.hpp>
#include <genera/fit.hpp>
#include <genera/sample.hpp>

#include "support/problems.hpp"

namespace genera::marginal_moments_test {
namespace {

/// Mean and covariance of the numbers of a table, divisor n.
MarginalMoments plain_moments(const Matrix& x) {
  const Index n = x.rows(), d = x.columns();
  MarginalMoments plain{{}, Vector(static_cast<std::size_t>(d)), Matrix(d, d)};
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < d; ++j)
      plain.mean[static_cast<std::size_t>(j)] += x(i, j) / static_cast<double>(n);
  }
  for (Index i = 0; i < n; ++i) {
    for (Index a = 0; a < d; ++a) {
      for (Index b = 0; b < d; ++b)
        plain.covariance(a, b) += (x(i, a) - plain.mean[static_cast<std::size_t>(a)]) *
                                  (x(i, b) - plain.mean[static_cast<std::size_t>(b)]) /
                                  static_cast<double>(n);
    }
  }
  return plain;
}

void expect_near(const MarginalMoments& found, const MarginalMoments& plain, double tolerance) {
  for (std::size_t j = 0; j < plain.mean.size(); ++j)
    EXPECT_NEAR(found.mean[j], plain.mean[j], tolerance);
  EXPECT_LT(testing::largest_difference(found.covariance, plain.covariance), tolerance);
}

/// With means and covariances by maximum likelihood the classes together have those of the data.
TEST(MarginalMoments, OfMaximumLikelihoodAreThoseOfTheData) {
  const Table table = testing::random_table(120, 4, 3, 1);
  const MarginalMoments plain = plain_moments(table.numbers);
  for (const Recipe& recipe : {qda(), lda()}) {
    const auto found = marginal_moments(fit(table, recipe).model);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->columns, (std::vector<std::string>{"x0", "x1", "x2", "x3"}));
    expect_near(*found, plain, 1e-13);
  }
}

TEST(MarginalMoments, AreThoseOfDraws) {
  const Table table = testing::random_table(200, 3, 3, 4);
  std::vector<Recipe> recipes = testing::whole_family();
  recipes.push_back(mda({.components = {2, 2}}));
  for (const Recipe& recipe : recipes) {
    const Model model = fit(table, recipe).model;
    expect_near(marginal_moments(model).value(),
                plain_moments(sample(model, 40000, Rng(2)).numbers), 0.12);
  }
}

TEST(MarginalMoments, OfAMixtureByHand) {
  // 0.7 N(0, 1) + 0.3 N(6, 4): mean 1.8, variance 0.7 + 1.2 + 0.21 * 36
  const GaussianParameters p{.family = Family::qda,
                             .columns = {"x"},
                             .means = Matrix(2, 1, {0, 6}),
                             .covariances = {Matrix(1, 1, {1}), Matrix(1, 1, {4})}};
  const Model classes({"a", "b"}, Prior({0.7, 0.3}), {GaussianBlock(p)});
  const Model mixture({"all"}, Prior({1}), {MixtureBlock({p, {0, 0}, {0.7, 0.3}, {}})});
  for (const Model& model : {classes, mixture}) {
    const MarginalMoments found = marginal_moments(model).value();
    EXPECT_NEAR(found.mean[0], 1.8, 1e-15);
    EXPECT_NEAR(found.covariance(0, 0), 9.46, 1e-14);
  }
}

TEST(MarginalMoments, OfCountsBesideNumbers) {
  const Model model({"a", "b"}, Prior({0.25, 0.75}),
                    {GaussianBlock({.family = Family::gnb,
                                    .columns = {"x"},
                                    .means = Matrix(2, 1, {0, 4}),
                                    .variances = Matrix(2, 1, {1, 2})}),
                     PoissonBlock({{"n"}, Matrix(2, 1, {2, 6})})});
  const MarginalMoments found = marginal_moments(model).value();
  EXPECT_EQ(found.columns, (std::vector<std::string>{"x", "n"}));
  EXPECT_EQ(found.mean, (Vector{3, 5}));
  EXPECT_NEAR(found.covariance(0, 0), 1.75 + 3, 1e-15);
  EXPECT_NEAR(found.covariance(1, 1), 5 + 3, 1e-15);
  EXPECT_NEAR(found.covariance(0, 1), 3, 1e-15);  // both means go with the class
}

TEST(MarginalMoments, AreNotOfCategories) {
  const Model model({"a"}, Prior({1}),
                    {CategoricalBlock({.columns = {"u"},
                                       .levels = {{"0", "1"}},
                                       .probabilities = {Matrix(1, 2, {0.5, 0.5})}})});
  EXPECT_FALSE(marginal_moments(model));
}

TEST(MarginalMoments, AreNotOfMeansWhoseSquaresOverflow) {
  const Model model({"a", "b"}, Prior({0.5, 0.5}),
                    {GaussianBlock({.family = Family::dlda,
                                    .columns = {"x", "y"},
                                    .means = Matrix(2, 2, {1, 4e307, 2e5, 0}),
                                    .variances = Matrix(1, 2, {1, 1})})});
  EXPECT_FALSE(marginal_moments(model));
}

}  // namespace
}  // namespace genera::marginal_moments_test
