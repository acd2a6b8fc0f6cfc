#include <cmath>

#include <gtest/gtest.h>

#include <genera/figure.hpp>
#include <genera/fit.hpp>
#include <genera/query.hpp>
#include <genera/sample.hpp>

#include "support/problems.hpp"

namespace genera::lines_test {
namespace {

using testing::error_of;

const Table& petals() {
  static const Table table = read_csv("@iris", {.target = "species", .features = {"petal_length"}});
  return table;
}

double area_of(const figure::Histogram& histogram, Index k) {
  double area = 0;
  for (std::size_t i = 0; i < histogram.density.size(); ++i)
    area +=
        histogram.joint(static_cast<Index>(i), k) * (histogram.edges[i + 1] - histogram.edges[i]);
  return area;
}

TEST(Lines, HaveBarsOfTheRowsThatTheAxisCovers) {
  const Model model = fit(petals(), qda()).model;
  const Rows rows(petals());
  const figure::Line figure = figure::line(model, &rows);
  ASSERT_TRUE(figure.histogram);
  for (Index k = 0; k < 3; ++k) EXPECT_NEAR(area_of(*figure.histogram, k), 1.0 / 3, 1e-12);
  EXPECT_GE(figure.histogram->edges.front(), figure.frame.axes[0].range.low);
  EXPECT_LE(figure.histogram->edges.back(), figure.frame.axes[0].range.high);
  ASSERT_TRUE(figure.predicted);
  const std::vector<std::int32_t> predicted = predict(model, rows);
  for (std::int32_t k = 0; k < 3; ++k)
    EXPECT_NEAR(area_of(*figure.predicted, k),
                static_cast<double>(std::ranges::count(predicted, k)) / 150, 1e-12);
  EXPECT_FALSE(figure::line(model, nullptr).histogram);
}

TEST(Lines, OfRowsNeedNoModel) {
  const Rows rows(petals());
  const figure::Line figure = figure::line_of_rows(rows);
  EXPECT_EQ(figure.frame.axes[0].name, "petal_length");
  ASSERT_TRUE(figure.histogram);
  EXPECT_NEAR(area_of(*figure.histogram, 1), 1.0 / 3, 1e-12);
  EXPECT_TRUE(figure.x.empty());
  EXPECT_EQ(error_of([&] { (void)figure::line_of_rows(rows, {.axes = {"petal_lenth"}}); }),
            "the data have no feature 'petal_lenth' | did you mean 'petal_length'?");
  const Table all = read_csv("@iris", {.target = "species"});
  const Rows of_all(all);
  EXPECT_EQ(figure::numeric_features(of_all).size(), 4U);
  EXPECT_EQ(figure::numeric_features(rows), figure::numeric_features(fit(petals(), qda()).model));
}

Model mixture() {
  const GaussianParameters components{.structure = Covariance::full,
                                      .columns = {"x"},
                                      .means = Matrix(2, 1, {0, 6}),
                                      .covariances = {Matrix(1, 1, {1}), Matrix(1, 1, {2})}};
  const MixtureParameters p{
      .components = components, .component_class = {0, 0}, .weights = {0.7, 0.3}};
  return Model({"all"}, Prior::uniform(1), {MixtureBlock(p)});
}

TEST(Lines, OfMixturesHaveTheirParts) {
  const figure::Line figure = figure::line(mixture(), nullptr);
  ASSERT_EQ(figure.parts.size(), 2U);
  EXPECT_EQ(figure.parts[1].component, 1);
  const double root = std::sqrt(2 * 3.14159265358979323846);
  for (std::size_t i = 0; i < figure.x.size(); i += 37) {
    const double x = figure.x[i];
    EXPECT_NEAR(figure.parts[0].density[i], 0.7 * std::exp(-x * x / 2) / root, 1e-14);
    EXPECT_NEAR(figure.parts[1].density[i],
                0.3 * std::exp(-(x - 6) * (x - 6) / 4) / root / std::sqrt(2), 1e-14);
    EXPECT_NEAR(figure.parts[0].density[i] + figure.parts[1].density[i], figure.density[i], 1e-12);
  }
  EXPECT_TRUE(figure::line(fit(petals(), qda()).model, nullptr).parts.empty());
}

TEST(Lines, OfSamplesFollowTheDensity) {
  const figure::Line figure = figure::line_of_samples(mixture(), nullptr, Rng(3), {.draws = 20000});
  EXPECT_EQ(figure.draws, 20000);
  EXPECT_FALSE(figure.histogram);
  ASSERT_TRUE(figure.drawn);
  const figure::Histogram& drawn = *figure.drawn;
  const auto below = [](double x) {
    return 0.7 * std::erfc(-x / std::sqrt(2)) / 2 + 0.3 * std::erfc(-(x - 6) / 2) / 2;
  };
  for (std::size_t i = 0; i < drawn.density.size(); ++i) {
    const double width = drawn.edges[i + 1] - drawn.edges[i];
    const double p = below(drawn.edges[i + 1]) - below(drawn.edges[i]);
    const double error = std::sqrt(p * (1 - p) / 20000);
    EXPECT_NEAR(drawn.density[i] * width, p, 4 * error + 1e-4);
  }
  const Rows rows(petals());
  const figure::Line beside = figure::line_of_samples(fit(petals(), qda()).model, &rows, Rng(3));
  EXPECT_EQ(beside.draws, 150);
  EXPECT_TRUE(beside.histogram);
  EXPECT_EQ(figure::line_of_samples(mixture(), nullptr, Rng(3)).draws, 300);
}

}  // namespace
}  // namespace genera::lines_test
