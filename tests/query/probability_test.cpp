#include <gtest/gtest.h>

#include <cmath>

#include <genera/fit.hpp>
#include <genera/probability.hpp>
#include <genera/sample.hpp>

#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

namespace genera::probability_test {
namespace {

using testing::error_of;
using testing::mixed_table;
using testing::random_table;
using testing::table_of;

double normal_below(double z) { return 0.5 * std::erfc(-z / std::sqrt(2)); }

/// 0.6 N(1, 0.5^2) + 0.4 N(-1, 0.5^2), as two classes, and as a mixture of one.
GaussianParameters two_bumps() {
  return {.structure = Covariance::full,
          .columns = {"x"},
          .means = Matrix(2, 1, {1, -1}),
          .covariances = {Matrix(1, 1, {0.25}), Matrix(1, 1, {0.25})}};
}
Model two_classes() { return {{"high", "low"}, Prior({0.6, 0.4}), {GaussianBlock(two_bumps())}}; }
Model one_mixture() {
  return {{"all"}, Prior({1}), {MixtureBlock({two_bumps(), {0, 0}, {0.6, 0.4}, {}})}};
}

TEST(Probability, OfOneColumnIsASumOfNormalLaws) {
  const double exact =
      0.6 * (normal_below(-1) - normal_below(-2.5)) + 0.4 * (normal_below(3) - normal_below(1.5));
  for (const Model& model : {two_classes(), one_mixture()}) {
    const Probability found = probability(model, {.between = {{"x", -0.25, 0.5}}});
    EXPECT_NEAR(found.all.value, exact, 1e-16);
    EXPECT_EQ(found.all.error, 0);
    EXPECT_NEAR(found.all.log_value, std::log(exact), 1e-15);
  }
  const Probability found = probability(two_classes(), {.between = {{"x", -0.25, 0.5}}});
  EXPECT_EQ(found.classes.at(0).share, 0.6);
  EXPECT_NEAR(found.classes.at(0).estimate.value, normal_below(-1) - normal_below(-2.5), 1e-16);
}

TEST(Probability, TailsTooSmallForANumber) {
  const Probability found = probability(two_classes(), {.between = {{"x", 101}}});
  EXPECT_EQ(found.all.value, 0);
  // mpmath: log(0.6 * P(Z > 200))
  EXPECT_NEAR(found.all.log_value, std::log(0.6) - 20006.217280898190402, 1e-10);
}

TEST(Probability, OfEverythingIsOneAndPartsAddUp) {
  const Model model = fit(random_table(200, 3, 3, 5), qda()).model;
  const double inf = HUGE_VAL;
  const auto of = [&](double low, double high) {
    return probability(model, {.between = {{"x0", low, high}, {"x2", 0, 1}}}).all.value;
  };
  EXPECT_NEAR(of(-inf, 0.3) + of(0.3, 1) + of(1, inf),
              probability(model, {.between = {{"x2", 0, 1}}}).all.value, 1e-12);
}

/// Draws of the model fall into the box as often as it says, for each member of the family.
TEST(Probability, IsTheShareOfDraws) {
  const Table table = random_table(300, 4, 3, 2);
  constexpr Index n = 40000;
  for (const Recipe& recipe : testing::whole_family()) {
    const Model model = fit(table, recipe).model;
    const Probability found = probability(
        model, {.between = {{"x0", -0.5, 2}, {"x1", 0}, {"x2", -HUGE_VAL, 1}, {"x3", -1, 3}}});
    const Table drawn = sample(model, n, Rng(3));
    double inside = 0;
    for (Index i = 0; i < n; ++i) {
      const auto x = drawn.numbers.row(i);
      inside += x[0] >= -0.5 && x[0] <= 2 && x[1] >= 0 && x[2] <= 1 && x[3] >= -1 && x[3] <= 3;
    }
    const double p = found.all.value;
    EXPECT_NEAR(inside / n, p, 4 * std::sqrt(p * (1 - p) / n));
  }
}

TEST(Probability, GivenACellIsTheRatioOfTwo) {
  const Model model = fit(random_table(300, 3, 2, 8), qda()).model;
  const Probability found =
      probability(model, {.between = {{"x0", 0, 1}, {"x2", 0.5}}, .given = {{"x1", 0.7}}});
  constexpr double half = 1e-4;
  const double both =
      probability(model, {.between = {{"x0", 0, 1}, {"x1", 0.7 - half, 0.7 + half}, {"x2", 0.5}}})
          .all.value;
  const double one = probability(model, {.between = {{"x1", 0.7 - half, 0.7 + half}}}).all.value;
  EXPECT_NEAR(found.all.value, both / one, 1e-7);
  EXPECT_NEAR(found.classes[0].share + found.classes[1].share, 1, 1e-15);
}

TEST(Probability, GivenCellsOfAMixtureWeighItsComponents) {
  GaussianParameters p{
      .structure = Covariance::full,
      .columns = {"x", "y"},
      .means = Matrix(2, 2, {0, 0, 3, 1}),
      .covariances = {Matrix(2, 2, {1, 0.5, 0.5, 2}), Matrix(2, 2, {2, -0.4, -0.4, 1})}};
  const Model classes({"a", "b"}, Prior({0.3, 0.7}), {GaussianBlock(p)});
  const Model mixture({"all"}, Prior({1}), {MixtureBlock({p, {0, 0}, {0.3, 0.7}, {}})});
  for (const ProbabilityQuestion& question :
       {ProbabilityQuestion{.between = {{"x", 0, 2}}, .given = {{"y", 1.5}}},
        ProbabilityQuestion{.between = {{"x", 0, 2}, {"y", -1, 1}}}})
    EXPECT_NEAR(probability(classes, question).all.value, probability(mixture, question).all.value,
                1e-14);
}

TEST(Probability, MeansFarFromZeroLoseNothing) {
  GaussianParameters near = two_bumps(), far = near;
  far.means = Matrix(2, 1, {1e8 + 1, 1e8 - 1});
  const Model a({"a", "b"}, Prior({0.6, 0.4}), {GaussianBlock(near)});
  const Model b({"a", "b"}, Prior({0.6, 0.4}), {GaussianBlock(far)});
  EXPECT_EQ(probability(a, {.between = {{"x", -0.25, 0.5}}}).all.value,
            probability(b, {.between = {{"x", 1e8 - 0.25, 1e8 + 0.5}}}).all.value);
}

TEST(Probability, OfCounts) {
  const Model model({"k"}, Prior({1}), {PoissonBlock({{"n", "m"}, Matrix(1, 2, {3.5, 1e13})})});
  const auto of = [&](double low, double high) {
    return probability(model, {.between = {{"n", low, high}}}).all;
  };
  // mpmath
  EXPECT_NEAR(of(2, 4).value, 0.58955672790917135429, 1e-15);
  EXPECT_NEAR(of(1.2, 4.9).value, 0.58955672790917135429, 1e-15);
  EXPECT_NEAR(of(30, HUGE_VAL).value, 2.6925469955885700497e-18, 1e-31);
  EXPECT_NEAR(of(200, HUGE_VAL).log_value, -616.16182872377943495, 1e-11);
  EXPECT_NEAR(of(-HUGE_VAL, 0).value, std::exp(-3.5), 1e-16);
  EXPECT_EQ(of(2.2, 2.8).value, 0);
  // One standard deviation around a rate of 1e13.
  EXPECT_NEAR(
      probability(model, {.between = {{"m", 1e13 - std::sqrt(1e13), 1e13 + std::sqrt(1e13)}}})
          .all.value,
      0.68268946762560351001, 1e-11);
}

TEST(Probability, OfCategories) {
  Recipe recipe = qda();
  recipe.discrete.smoothing = 0;
  const Table table =
      table_of({{"u", ColumnType::categorical}, {"v", ColumnType::categorical}},
               {{"0", "0", "k"}, {"0", "1", "k"}, {"1", "1", "k"}, {"1", "1", "l"}});
  const Model naive = fit(table, recipe).model;
  EXPECT_NEAR(probability(naive, {.equal = {{"u", "0"}, {"v", "1"}}}).all.value,
              0.75 * 2 / 3 * 2 / 3, 1e-15);
  EXPECT_NEAR(probability(naive, {.equal = {{"class", "k"}, {"v", "1"}}}).all.value, 0.5, 1e-15);
  EXPECT_NEAR(probability(naive, {.equal = {{"v", "1"}}, .of_class = "k"}).all.value, 2.0 / 3,
              1e-15);
  recipe.discrete.joint = true;
  const Model joint = fit(table, recipe).model;
  EXPECT_NEAR(probability(joint, {.equal = {{"u", "0"}, {"v", "1"}}}).all.value, 0.25, 1e-15);
  EXPECT_NEAR(probability(joint, {.equal = {{"v", "1"}}, .given = {{"u", "0"}}}).all.value, 0.5,
              1e-15);
  const Probability never = probability(joint, {.equal = {{"u", "1"}, {"v", "0"}}});
  EXPECT_EQ(never.all.value, 0);
  EXPECT_EQ(never.all.log_value, -HUGE_VAL);
}

TEST(Probability, OfColumnsOfSeveralBlocksMultipliesWithinClasses) {
  const Model model = fit(mixed_table(90, 1), qda()).model;
  const auto in_class = [&](const ProbabilityQuestion& question, std::size_t k) {
    return probability(model, question).classes[k].estimate.value;
  };
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(
        in_class({.between = {{"x", 0, 1}}, .equal = {{"colour", "red"}}}, k),
        in_class({.between = {{"x", 0, 1}}}, k) * in_class({.equal = {{"colour", "red"}}}, k),
        1e-15);
}

/// 0 <= value <= 1 and an error that is a number, wherever the box lies.
void expect_probability(const ProbabilityEstimate& p) {
  EXPECT_TRUE(p.value >= 0 && p.value <= 1) << p.value;
  EXPECT_TRUE(p.log_value <= 0) << p.log_value;
  EXPECT_TRUE(p.error >= 0 && std::isfinite(p.error)) << p.error;
  EXPECT_TRUE(p.relative_error >= 0 && std::isfinite(p.relative_error)) << p.relative_error;
}

TEST(Probability, OfAnyBoxIsAProbability) {
  std::vector<Recipe> recipes = testing::whole_family();
  recipes.push_back(mda({.components = {2, 2}, .starts = 1}));
  const Table table = random_table(200, 3, 3, 5);
  for (const Recipe& recipe : recipes) {
    const Model model = fit(table, recipe).model;
    for (const double far : {1.0, 1e2, 1e4, 1e5, 1e9, 1e150, 1e200, 1e307}) {
      for (const double high : {2 * far, far, HUGE_VAL}) {
        const Between out{"x2", far, high};
        expect_probability(probability(model, {.between = {out}}).all);
        expect_probability(probability(model, {.between = {{"x0", -1, 2}, {"x1", 0, 1}, out}}).all);
        const ProbabilityQuestion given{.between = {{"x0", -1}, out}, .given = {{"x1", -far}}};
        try {
          expect_probability(probability(model, given).all);
        } catch (const Error& error) {
          EXPECT_STREQ(error.what(), "what is given is impossible under every class");
        }
      }
    }
  }
}

TEST(Probability, OfMeansFarOutIsAProbability) {
  GaussianParameters p = two_bumps();
  p.columns = {"x", "y"};
  p.means = Matrix(2, 2, {0, 1e100, 2.77e150, 0});
  p.covariances = {Matrix(2, 2, {1, 0.5, 0.5, 1}), Matrix(2, 2, {1e-300, 0, 0, 1.8e139})};
  const Model model({"a", "b"}, Prior({0.6, 0.4}), {GaussianBlock(p)});
  const Probability found = probability(model, {.between = {{"x", 0, 5}, {"y", -1, 3}}});
  expect_probability(found.all);
  EXPECT_EQ(found.all.value, 0);
}

TEST(Probability, OfCountsFarOutIsAProbability) {
  for (const double rate : {0.0, 1e-300, 3.5, 1e6, 1e12, 1e15}) {
    const Model model({"k"}, Prior({1}), {PoissonBlock({{"n"}, Matrix(1, 1, {rate})})});
    const auto of = [&](double low, double high) {
      return probability(model, {.between = {{"n", low, high}}}).all;
    };
    for (const double low : {0.0, 1e3, 1e9, 1e15, 1e16, 1e100, 1e308}) {
      expect_probability(of(low, HUGE_VAL));
      expect_probability(of(-HUGE_VAL, low));
      expect_probability(of(low, 1.5 * low));
      if (low == 0 || low > 1e15) continue;
      const double both = of(low, HUGE_VAL).value + of(-HUGE_VAL, low - 1).value;
      EXPECT_NEAR(both, 1, 1e-11) << rate << ' ' << low;
    }
  }
}

std::string refusal(const Model& model, const ProbabilityQuestion& question) {
  return error_of([&] { (void)probability(model, question); });
}

TEST(ProbabilityRefuses, WhatMakesNoSense) {
  const Model model = fit(mixed_table(60, 1), qda()).model;
  EXPECT_EQ(refusal(model, {}),
            "nothing is asked of any column | name a column and an interval of it");
  EXPECT_EQ(refusal(model, {.between = {{"x", 2, 1}}}),
            "the interval of 'x' begins at 2 and ends at 1 | give the smaller number first");
  EXPECT_EQ(refusal(model, {.between = {{"x", std::nan(""), 1}}}),
            "an end of the interval of 'x' is not a number | give two numbers, or leave an end "
            "open");
  EXPECT_EQ(refusal(model, {.between = {{"x", HUGE_VAL, HUGE_VAL}}}),
            "the interval of 'x' holds no number | give finite numbers, or leave an end open");
  EXPECT_EQ(refusal(model, {.between = {{"x", 0, 1}, {"x", 0, 2}}}),
            "column 'x' is asked about twice | ask about each column once");
  EXPECT_EQ(refusal(model, {.between = {{"x", 0, 1}}, .given = {{"x", 0.5}}}),
            "column 'x' is both asked about and given | leave one of the two out");
  EXPECT_EQ(refusal(model, {.between = {{"x", 0, 1}}, .precision = 0}),
            "the precision 0 is not positive | give the largest error allowed, as in 1e-5");
  EXPECT_EQ(refusal(model, {.equal = {{"class", "a"}}, .of_class = "b"}),
            "column 'class' is both asked about and given | leave one of the two out");
}

TEST(ProbabilityRefuses, ColumnsThatHaveNoIntervals) {
  const Model model = fit(mixed_table(60, 1), qda()).model;
  EXPECT_EQ(refusal(model, {.between = {{"colour", 0, 1}}}),
            "column 'colour' holds categories, which lie between nothing | ask for one of its "
            "levels");
  EXPECT_EQ(refusal(model, {.between = {{"words", 0, 1}}}),
            "column 'words' is text, of which no interval can be asked | ask about numbers, counts "
            "and categories");
  EXPECT_EQ(refusal(model, {.between = {{"hits", 0, 1}}}),
            "how often 'hits' occurs depends on the length of a row, of which multinomial says "
            "nothing | ask about other columns, or fit counts with model = poisson");
  EXPECT_EQ(refusal(model, {.equal = {{"x", "1"}}}),
            "column 'x' holds numbers, but '1' is not an interval | write the interval as A:B, "
            "where an end may be left out");
  EXPECT_EQ(refusal(model, {.between = {{"color", 0, 1}}}),
            "the model has no column 'color' | did you mean 'colour'?");
  EXPECT_EQ(refusal(model, {.equal = {{"colour", "gren"}}}),
            "column 'colour' has no level 'gren' | did you mean 'green' or 'red'?");
}

}  // namespace
}  // namespace genera::probability_test
