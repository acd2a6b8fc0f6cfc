#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <genera/figure.hpp>
#include <genera/fit.hpp>
#include <genera/query.hpp>

#include "support/problems.hpp"

namespace genera::densities_test {
namespace {

using testing::error_of;

const Table& iris() {
  static const Table table = read_csv("@iris", {.target = "species"});
  return table;
}

/// One class, u and v with covariance {{a, b}, {b, c}}.
Model one_gaussian(double a, double b, double c) {
  GaussianParameters p{.structure = Covariance::full,
                       .columns = {"u", "v"},
                       .means = Matrix(1, 2, {3, -1}),
                       .covariances = {Matrix(2, 2, {a, b, b, c})}};
  return Model({"k"}, Prior::uniform(1), {GaussianBlock(p)});
}

/// Squared Mahalanobis distance under one_gaussian.
double distance(double a, double b, double c, double x, double y) {
  const double u = x - 3, v = y + 1, determinant = a * c - b * b;
  return (c * u * u - 2 * b * u * v + a * v * v) / determinant;
}

TEST(Ellipses, HoldTheirMass) {
  const figure::Regions figure =
      figure::regions(one_gaussian(4, 1.2, 1), nullptr,
                      {.axes = {"u", "v"}, .columns = 3, .rows = 3, .masses = {0.5, 0.9}});
  ASSERT_EQ(figure.ellipses.size(), 2U);
  for (const figure::Ellipse& ellipse : figure.ellipses) {
    // Of two normals D^2 is exponential: P(D^2 <= q) = 1 - exp(-q / 2).
    for (std::size_t i = 0; i < ellipse.outline.x.size(); ++i)
      EXPECT_NEAR(
          1 - std::exp(-distance(4, 1.2, 1, ellipse.outline.x[i], ellipse.outline.y[i]) / 2),
          ellipse.mass, 1e-10);
    EXPECT_EQ(ellipse.outline.x.front(), ellipse.outline.x.back());
  }
}

TEST(Ellipses, HaveTheAxesOfTheCovariance) {
  const figure::Options options{.axes = {"u", "v"}, .columns = 3, .rows = 3, .masses = {0.5}};
  const figure::Regions figure = figure::regions(one_gaussian(2.5, 1.5, 2.5), nullptr, options);
  const double radius = std::sqrt(2 * std::log(2.0));
  EXPECT_NEAR(figure.ellipses[0].major, 2 * radius, 1e-9);
  EXPECT_NEAR(figure.ellipses[0].minor, radius, 1e-9);
  EXPECT_NEAR(figure.ellipses[0].angle, std::numbers::pi / 4, 1e-12);
  EXPECT_EQ(figure.ellipses[0].x, 3);
  const figure::Regions upright = figure::regions(one_gaussian(1, 0, 4), nullptr, options);
  EXPECT_NEAR(std::abs(upright.ellipses[0].angle), std::numbers::pi / 2, 1e-12);
}

TEST(Ellipses, OfMixturesAreThoseOfTheirComponents) {
  const Model model = fit(iris(), mda({.components = {2, 2}})).model;
  const figure::Regions figure = figure::regions(
      model, nullptr,
      {.axes = {"sepal_length", "sepal_width"}, .columns = 3, .rows = 3, .masses = {0.5}});
  ASSERT_EQ(figure.ellipses.size(), 6U);
  for (std::size_t e = 0; e < 6; ++e) {
    EXPECT_EQ(figure.ellipses[e].of_class, static_cast<Index>(e / 2));
    EXPECT_EQ(figure.ellipses[e].component, static_cast<Index>(e % 2));
  }
  EXPECT_NEAR(figure.ellipses[0].weight + figure.ellipses[1].weight, 1, 1e-12);
}

TEST(Density, HasItsMassWithinTheAxes) {
  const figure::Density figure =
      figure::density(fit(iris(), qda()).model, nullptr, {.axes = {"sepal_length", "petal_width"}});
  const double cell = (figure.grid.x[1] - figure.grid.x[0]) * (figure.grid.y[1] - figure.grid.y[0]);
  double sum = 0;
  for (const double p : figure.density) sum += p * cell;
  EXPECT_GT(sum, 0.99);
  EXPECT_LT(sum, 1);
  EXPECT_EQ(figure.contours.size(), 12U);  // of all, and of three classes, at three masses each
}

TEST(Density, ContoursHoldTheirMass) {
  const figure::Density figure = figure::density(one_gaussian(4, 1.2, 1), nullptr,
                                                 {.axes = {"u", "v"}, .masses = {0.5, 0.9, 0.99}});
  ASSERT_EQ(figure.contours.size(), 6U);
  const double peak = 1 / (2 * std::numbers::pi * std::sqrt(4 - 1.44));
  for (const figure::Contour& contour : figure.contours) {
    // At the ellipse of mass m the density is (1 - m) times that of the peak.
    EXPECT_NEAR(contour.level / peak / (1 - contour.mass), 1, 0.02);
    ASSERT_EQ(contour.lines.size(), 1U);
    for (std::size_t i = 0; i < contour.lines[0].x.size(); ++i)
      EXPECT_NEAR(distance(4, 1.2, 1, contour.lines[0].x[i], contour.lines[0].y[i]),
                  -2 * std::log(contour.level / peak), 0.02);
  }
}

TEST(Line, IntegratesAnArea) {
  const Table table = read_csv("@iris", {.target = "species", .features = {"sepal_length"}});
  const Model model = fit(table, qda()).model;
  const Rows rows(table);
  const figure::Line figure = figure::line(model, nullptr, {}, figure::Range{5, 6});
  double right = 0;
  for (Index k = 0; k < 3; ++k) {
    double mean = 0, square = 0;
    for (Index i = 50 * k; i < 50 * (k + 1); ++i) mean += table.numbers(i, 0) / 50;
    for (Index i = 50 * k; i < 50 * (k + 1); ++i)
      square += std::pow(table.numbers(i, 0) - mean, 2) / 50;
    const auto below = [&](double x) { return std::erfc((mean - x) / std::sqrt(2 * square)) / 2; };
    right += (below(6) - below(5)) / 3;
  }
  ASSERT_TRUE(figure.area);
  EXPECT_NEAR(figure.area->probability, right, 1e-12);
  EXPECT_NEAR(figure::line(model, nullptr, {}, figure::Range{0, 1e5}).area->probability, 1, 1e-12);
  EXPECT_EQ(error_of([&] {
              const LinearModel linear = fit(table, logistic()).model;
              (void)figure::line(linear, &rows, {}, figure::Range{5, 6});
            }),
            "a linear model has no density, and no area below it | use a model that has one");
  EXPECT_EQ(error_of([&] {
              (void)figure::line(model, nullptr, {}, figure::Range{6, 5});
            }),
            "the area to integrate over is empty | let it begin below its end");
  EXPECT_EQ(error_of([&] { (void)figure::line(model, nullptr, {.columns = 1}); }),
            "a grid of 1 by 240 places has no cells | give it at least two columns and two rows");
  EXPECT_EQ(error_of([&] { (void)figure::line(model, nullptr, {.masses = {1.0}}); }),
            "no contour holds a share of 1 | write a probability between 0 and 1, such as 0.9");
}

TEST(Line, ClassesAreEquallyProbableWhereTheyChange) {
  const Model model = fit(iris(), qda()).model;
  const figure::Line figure = figure::line(model, nullptr, {.axes = {"petal_length"}});
  ASSERT_EQ(figure.boundaries.size(), 2U);
  for (const double x : figure.boundaries) {
    Matrix row(1, 4, std::nan(""));
    row(0, 2) = x;
    const Matrix p = posterior(model, row);
    Vector sorted(p.row(0).begin(), p.row(0).end());
    std::sort(sorted.rbegin(), sorted.rend());
    EXPECT_NEAR(sorted[0], sorted[1], 1e-9);
  }
  for (std::size_t i = 0; i < figure.x.size(); ++i) {
    double sum = 0;
    for (const double p : figure.joint.row(static_cast<Index>(i))) sum += p;
    EXPECT_NEAR(figure.density[i], sum, 1e-15);
    EXPECT_NEAR(figure.posterior(static_cast<Index>(i), 0),
                figure.joint(static_cast<Index>(i), 0) / sum, 1e-12);
  }
}

TEST(Line, OfSoftmaxHasNoDensity) {
  const Classifier model = fit(iris(), AnyRecipe(logistic())).model;
  const Rows data(iris());
  const figure::Line figure = figure::line(model, &data, {.axes = {"petal_length"}});
  EXPECT_TRUE(figure.density.empty());
  EXPECT_EQ(figure.posterior.columns(), 3);
}

TEST(Solid, EllipsoidsHaveTheAxesOfTheCovariance) {
  const Model model = fit(iris(), qda()).model;
  const figure::Solid figure = figure::solid(
      model, nullptr, {.axes = {"sepal_length", "petal_width", "petal_length"}, .masses = {0.9}});
  ASSERT_EQ(figure.ellipsoids.size(), 3U);
  const double chi2 = 6.251388631170326;  // exceeded by 10 % of three squared normals
  const auto& block = std::get<GaussianBlock>(model.blocks()[0]);
  const std::vector<Index> columns{0, 3, 2};
  for (const figure::Ellipsoid& solid : figure.ellipsoids) {
    for (Index i = 0; i < 3; ++i) {
      for (Index j = 0; j < 3; ++j) {
        double sum = 0;
        for (Index a = 0; a < 3; ++a) sum += solid.axes(a, i) * solid.axes(a, j) / chi2;
        EXPECT_NEAR(sum,
                    block.covariance(solid.of_class)(columns[static_cast<std::size_t>(i)],
                                                     columns[static_cast<std::size_t>(j)]),
                    1e-10);
      }
    }
  }
}

TEST(Samples, AreDrawnBesideTheData) {
  const Model model = fit(iris(), qda()).model;
  const Rows rows(iris());
  const figure::Samples figure = figure::samples(model, &rows, Rng(7));
  EXPECT_EQ(figure.data.count(), 150);
  EXPECT_EQ(figure.drawn.count(), 150);
  EXPECT_EQ(figure.drawn.classes.size(), 150U);
  const Table drawn = sample(model, 150, Rng(7));
  const std::vector<std::string> names = drawn.number_names();
  const Index x = std::ranges::find(names, figure.frame.axes[0].name) - names.begin();
  for (Index i = 0; i < 150; ++i)
    EXPECT_EQ(figure.drawn.at[0][static_cast<std::size_t>(i)], drawn.numbers(i, x));
}

TEST(Pairs, AreTheRegionsOfTwoFeatures) {
  const Model model = fit(iris(), qda()).model;
  const figure::Pairs figure = figure::pairs(model, iris(), {.columns = 60});
  ASSERT_EQ(figure.frame.axes.size(), 4U);
  ASSERT_EQ(figure.lines.size(), 4U);
  ASSERT_EQ(figure.below.size(), 6U);
  const figure::Regions& third = figure.below[2];  // (2, 1)
  EXPECT_EQ(third.frame.axes[0].name, figure.frame.axes[1].name);
  EXPECT_EQ(third.frame.axes[1].name, figure.frame.axes[2].name);
  const figure::Pairs two = figure::pairs(model, iris(), {.columns = 60}, 2);
  EXPECT_EQ(two.frame.caption.back(), "the 2 of 4 features that separate the classes best");
  const auto masses_of = [](const figure::Regions& regions) {
    Vector masses;
    for (const figure::Ellipse& one : regions.ellipses)
      if (one.of_class == 0) masses.push_back(one.mass);
    return masses;
  };
  EXPECT_EQ(masses_of(third), Vector{0.9});
  const figure::Pairs asked = figure::pairs(
      model, iris(), {.ranges = {figure::Range{-1, 9}}, .columns = 60, .masses = {0.5, 0.8}}, 2);
  EXPECT_EQ(masses_of(asked.below[0]), (Vector{0.5, 0.8}));
  EXPECT_EQ(asked.frame.axes[0].range.low, -1);
  EXPECT_EQ(asked.below[0].frame.axes[0].range.high, 9);
  EXPECT_EQ(asked.lines[0].frame.axes[0].range.high, 9);
  EXPECT_EQ(asked.frame.axes[1].range.low, two.frame.axes[1].range.low);
  EXPECT_EQ(error_of([&] { (void)figure::pairs(model, iris(), {.axes = {"petal_length"}}); }),
            "a matrix of pairs takes two features that are numbers | choose another kind of "
            "figure, or name two features");
}

}  // namespace
}  // namespace genera::densities_test
