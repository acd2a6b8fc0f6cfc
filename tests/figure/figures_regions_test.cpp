#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include <genera/figure.hpp>
#include <genera/fit.hpp>
#include <genera/impute.hpp>
#include <genera/query.hpp>

#include "support/problems.hpp"

namespace genera::regions_test {
namespace {

using testing::error_of;
using testing::random_table;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

const Table& iris() {
  static const Table table = read_csv("@iris", {.target = "species"});
  return table;
}

figure::Options shown(std::vector<std::string> axes, Index columns = 60, Index rows = 50) {
  return {.axes = std::move(axes), .columns = columns, .rows = rows};
}

/// Rows of four columns in which only two are known.
Matrix rows_at(const figure::Grid& grid, Index d, Index x, Index y) {
  Matrix rows(grid.cells(), d, nothing);
  const Index columns = std::ssize(grid.x);
  for (Index i = 0; i < rows.rows(); ++i) {
    rows(i, x) = grid.x[static_cast<std::size_t>(i % columns)];
    rows(i, y) = grid.y[static_cast<std::size_t>(i / columns)];
  }
  return rows;
}

/// By how much the two most probable classes differ, at most, on the curves: in log posterior.
double worst_gap(ClassifierRef model, const std::vector<figure::Curve>& curves, Index d, Index x,
                 Index y) {
  double worst = curves.empty() ? HUGE_VAL : 0;
  for (const figure::Curve& curve : curves) {
    Matrix rows(std::ssize(curve.x), d, nothing);
    for (Index i = 0; i < rows.rows(); ++i) {
      rows(i, x) = curve.x[static_cast<std::size_t>(i)];
      rows(i, y) = curve.y[static_cast<std::size_t>(i)];
    }
    const Matrix p = posterior(model, rows);
    for (Index i = 0; i < rows.rows(); ++i) {
      Vector sorted(p.row(i).begin(), p.row(i).end());
      std::sort(sorted.rbegin(), sorted.rend());
      worst = std::max(worst, std::log(sorted[0] / sorted[1]));
    }
  }
  return worst;
}

TEST(Regions, PosteriorsAreThoseOfRowsThatLackTheOtherFeatures) {
  const Model model = fit(iris(), qda()).model.with_temperature(1.5);
  const figure::Regions figure =
      figure::regions(model, nullptr, shown({"sepal_width", "petal_length"}, 23, 17));
  ASSERT_EQ(figure.grid.cells(), 23 * 17);
  const Matrix rows = rows_at(figure.grid, 4, 1, 2);
  EXPECT_LT(testing::largest_difference(figure.posterior, posterior(model, rows)), 1e-12);
  EXPECT_EQ(figure.labels, predict(model, rows));
}

TEST(Regions, OfTheOtherFeaturesMarginalisedAreThoseOfAModelWithoutThem) {
  const Model model = fit(iris(), qda()).model;
  const Table two =
      read_csv("@iris", {.target = "species", .features = {"sepal_width", "petal_length"}});
  const figure::Options options = shown({"sepal_width", "petal_length"}, 20, 20);
  const figure::Regions a = figure::regions(model, nullptr, options);
  const figure::Regions b = figure::regions(fit(two, qda()).model, nullptr, options);
  EXPECT_LT(testing::largest_difference(a.posterior, b.posterior), 1e-9);
  EXPECT_EQ(a.frame.caption,
            std::vector<std::string>{"sepal_length and petal_width are marginalised"});
  EXPECT_TRUE(b.frame.caption.empty());
}

TEST(Regions, BoundariesAreWhereTheTwoLargestAreEqual) {
  for (const Recipe& recipe :
       {qda(), lda(), gaussian_naive_bayes(), spherical(), mda({.components = {2, 2}})}) {
    const Model model = fit(iris(), recipe).model;
    for (const Model& one : {model, model.with_temperature(3)}) {
      const figure::Regions figure =
          figure::regions(one, nullptr, shown({"sepal_length", "sepal_width"}));
      EXPECT_LT(worst_gap(one, figure.boundaries, 4, 0, 1), 1e-6);
    }
  }
}

TEST(Regions, OfLinearModelsAreBoundedByTheirPlanes) {
  const Table table =
      read_csv("@iris", {.target = "species", .features = {"sepal_length", "petal_width"}});
  for (const AnyRecipe& recipe : std::vector<AnyRecipe>{lda(), logistic({.ridge = 1e-3})}) {
    const Classifier model = fit(table, recipe).model;
    const Rows rows(table);
    const figure::Regions figure = figure::regions(model, &rows, shown({}));
    const Boundaries planes = boundaries(model);
    ASSERT_FALSE(figure.boundaries.empty());
    for (const figure::Curve& curve : figure.boundaries) {
      const auto plane = std::ranges::find_if(planes.pairs, [&](const Boundary& b) {
        return b.first == curve.first && b.second == curve.second;
      });
      ASSERT_NE(plane, planes.pairs.end());
      for (std::size_t i = 0; i < curve.x.size(); ++i)
        EXPECT_NEAR(plane->intercept + plane->coefficients[0] * curve.x[i] +
                        plane->coefficients[1] * curve.y[i],
                    0, 1e-8);
    }
  }
}

/// Three classes at the corners of a triangle whose middle is (1, 2).
Model triangle() {
  GaussianParameters p{.family = Family::centroid,
                       .columns = {"u", "v"},
                       .means = Matrix(3, 2),
                       .variances = Matrix(1, 2, {0.3, 0.3}),
                       .raw_units = true};
  for (Index k = 0; k < 3; ++k) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(k) / 3 + 0.3;
    p.means(k, 0) = 1 + std::cos(angle);
    p.means(k, 1) = 2 + std::sin(angle);
  }
  return Model({"a", "b", "c"}, Prior::uniform(3), {GaussianBlock(p)});
}

TEST(Regions, ThreeOfThemMeetInAPoint) {
  const figure::Regions figure = figure::regions(triangle(), nullptr, shown({"u", "v"}, 37, 41));
  ASSERT_EQ(figure.boundaries.size(), 3U);
  for (const figure::Curve& curve : figure.boundaries) {
    const auto far = [&](std::size_t i) { return std::hypot(curve.x[i] - 1, curve.y[i] - 2); };
    EXPECT_LT(std::min(far(0), far(curve.x.size() - 1)), 1e-8);
    EXPECT_NE(curve.first, curve.second);
  }
  EXPECT_LT(worst_gap(triangle(), figure.boundaries, 2, 0, 1), 1e-6);
}

TEST(Regions, WithManyClassesHaveNoFalseBoundaries) {
  const Table table = read_csv("@vowel_train", {.target = "vowel"});
  const Model model = fit(table, qda()).model;
  const figure::Regions figure = figure::regions(model, nullptr, shown({"x1", "x2"}, 80, 70));
  EXPECT_LT(worst_gap(model, figure.boundaries, 10, 0, 1), 1e-6);
  EXPECT_EQ(figure.ellipses.size(), 11U);  // one for each of many
}

TEST(Regions, AClassOfItsOwnInTheMiddleHasAClosedBoundary) {
  GaussianParameters p{.family = Family::qda,
                       .columns = {"u", "v"},
                       .means = Matrix(2, 2),
                       .covariances = {Matrix(2, 2, {0.1, 0, 0, 0.1}), Matrix(2, 2, {1, 0, 0, 1})}};
  const Model model({"in", "out"}, Prior::uniform(2), {GaussianBlock(p)});
  const figure::Regions figure = figure::regions(model, nullptr, shown({"u", "v"}));
  ASSERT_EQ(figure.boundaries.size(), 1U);
  const figure::Curve& curve = figure.boundaries[0];
  EXPECT_EQ(curve.x.front(), curve.x.back());
  EXPECT_EQ(curve.y.front(), curve.y.back());
  const double radius = std::sqrt(2 * std::log(10.0) / 9);  // r^2 (1/0.1 - 1)/2 = log(1/0.1)
  for (std::size_t i = 0; i < curve.x.size(); ++i)
    EXPECT_NEAR(std::hypot(curve.x[i], curve.y[i]), radius, 1e-9);
}

TEST(Regions, OthersAtTheirMeanAreThoseOfImputedRows) {
  const Model model = fit(iris(), qda()).model;
  figure::Options options = shown({"sepal_length", "petal_width"}, 12, 11);
  options.others = figure::Others::mean;
  const figure::Regions figure = figure::regions(model, nullptr, options);
  Table rows = make_table(iris().number_names(), rows_at(figure.grid, 4, 0, 3));
  const Matrix right = posterior(model, impute(model, rows).table);
  EXPECT_LT(testing::largest_difference(figure.posterior, right), 1e-12);
  EXPECT_EQ(figure.frame.caption[0],
            "sepal_width and petal_length are where expected given the features shown");
}

TEST(Regions, OfSoftmaxHaveTheOthersAtTheMeansOfTheTrainingRows) {
  for (const LogisticTerms terms : {LogisticTerms::linear, LogisticTerms::quadratic}) {
    const Classifier model = fit(iris(), AnyRecipe(logistic({.terms = terms}))).model;
    const Rows data(iris());
    const figure::Regions figure =
        figure::regions(model, &data, shown({"sepal_length", "petal_width"}, 14, 13));
    Matrix rows = rows_at(figure.grid, 4, 0, 3);
    for (const Index other : {1, 2}) {
      double mean = 0;
      for (Index i = 0; i < iris().rows(); ++i) mean += iris().numbers(i, other) / 150;
      for (Index i = 0; i < rows.rows(); ++i) rows(i, other) = mean;
    }
    EXPECT_LT(testing::largest_difference(figure.posterior, posterior(model, rows)), 1e-9);
    EXPECT_TRUE(figure.ellipses.empty());
    EXPECT_EQ(figure.frame.caption[0],
              "sepal_width and petal_length are at their means in the training rows");
  }
}

/// Numbers and a category; a quarter of the rows is "p".
Table with_colour(Index rows) {
  std::string text = "u,v,colour,class\n";
  Rng rng(4);
  for (Index i = 0; i < rows; ++i)
    text += std::to_string(rng.normal() + static_cast<double>(i % 2)) + ',' +
            std::to_string(rng.normal()) + ',' + (i % 4 == 1 ? "p" : "q") + ',' +
            (i % 2 == 0 ? "no" : "yes") + '\n';
  static std::string kept;
  kept = text;
  return read_csv(Source::text(kept, "colours.csv"));
}

TEST(Regions, OfSoftmaxHaveCategoriesAtTheirShares) {
  const Table table = with_colour(400);
  const Classifier model = fit(table, AnyRecipe(logistic())).model;
  const Rows data(table);
  const figure::Regions figure = figure::regions(model, &data, shown({"u", "v"}, 9, 8));
  const auto log_odds = [&](const char* colour, Index cell) {
    const Index level = std::ranges::find(table.levels[0], colour) - table.levels[0].begin();
    Table one = table;
    one.numbers(0, 0) = figure.grid.x[static_cast<std::size_t>(cell % 9)];
    one.numbers(0, 1) = figure.grid.y[static_cast<std::size_t>(cell / 9)];
    one.codes(0, 0) = static_cast<std::int32_t>(level);
    const Matrix p = posterior(model, one);
    return std::log(p(0, 1) / p(0, 0));
  };
  for (const Index cell : {Index{0}, Index{31}, Index{71}}) {
    const double right = 0.25 * log_odds("p", cell) + 0.75 * log_odds("q", cell);
    EXPECT_NEAR(std::log(figure.posterior(cell, 1) / figure.posterior(cell, 0)), right, 1e-9);
  }
}

TEST(Regions, OfMixedModelsMarginaliseCategories) {
  const Table table = with_colour(200);
  const Model model = fit(table, qda()).model;
  const Rows data(table);
  const figure::Regions figure = figure::regions(model, &data, shown({"u", "v"}, 9, 8));
  Table rows = make_table({"u", "v"}, rows_at(figure.grid, 2, 0, 1));
  rows.columns.push_back({"colour", ColumnType::categorical});
  rows.codes = Codes(rows.rows(), 1);
  rows.levels = {{"p"}};
  EXPECT_LT(testing::largest_difference(figure.posterior, posterior(model, rows)), 1e-12);
  EXPECT_EQ(figure.points.count(), 200);
}

TEST(Regions, PointsHaveClassPredictionAndWhetherTheyAreWrong) {
  Table table = iris();
  table.numbers(3, 0) = nothing;  // shown: left out
  table.numbers(4, 3) = nothing;  // not shown: marginalised
  table.classes.push_back("rose");
  table.labels[5] = 3;
  const Model model = fit(iris(), lda()).model;
  const Rows data(table);
  const figure::Regions figure =
      figure::regions(model, &data, shown({"sepal_length", "petal_length"}, 5, 5));
  ASSERT_EQ(figure.points.count(), 149);
  EXPECT_EQ(figure.points.left_out, 1);
  EXPECT_EQ(figure.points.classes[4], -1);
  EXPECT_FALSE(figure.points.wrong(4));
  const std::vector<std::int32_t> labels = predict(model, table);
  Index wrong = 0;
  for (Index i = 0; i < 150; ++i) {
    if (i == 3) continue;
    const auto place = static_cast<std::size_t>(i < 3 ? i : i - 1);
    EXPECT_EQ(figure.points.predictions[place], labels[static_cast<std::size_t>(i)]);
    wrong += i != 5 && labels[static_cast<std::size_t>(i)] != i / 50 ? 1 : 0;
  }
  EXPECT_EQ(figure.points.wrong(), wrong);
  EXPECT_GT(wrong, 0);
  EXPECT_EQ(figure.frame.caption,
            (std::vector<std::string>{"sepal_width and petal_width are marginalised",
                                      "1 row that lacks a number shown is left out",
                                      "1 grey point has no class of the model"}));
}

TEST(Features, ThatSeparateTheClassesBestAreChosen) {
  // u tells a from b and c, w tells b from c, v is noise; t repeats u less clearly.
  GaussianParameters p{.family = Family::dlda,
                       .columns = {"t", "u", "v", "w"},
                       .means = Matrix(3, 4, {0, 0, 0, 0, 4, 5, 0, 0, 4, 5, 0, 2}),
                       .variances = Matrix(1, 4, {1, 1, 1, 1})};
  const Model model({"a", "b", "c"}, Prior::uniform(3), {GaussianBlock(p)});
  using Names = std::vector<std::string>;
  EXPECT_EQ(figure::separating_features(model, 1), Names{"u"});
  EXPECT_EQ(figure::separating_features(model, 2), (Names{"u", "w"}));
  EXPECT_EQ(figure::separating_features(model, 2, {"v"}), (Names{"v", "u"}));
  EXPECT_EQ(figure::separating_features(model, 3), (Names{"t", "u", "w"}));
  EXPECT_EQ(error_of([&] { (void)figure::separating_features(model, 2, {"uu"}); }),
            "the model has no feature 'uu' | did you mean 'u'?");
  EXPECT_EQ(error_of([&] {
              (void)figure::separating_features(model, 2, {"u", "u"});
            }),
            "'u' is on two axes | choose another feature for one of them");
  EXPECT_EQ(error_of([&] { (void)figure::separating_features(model, 5); }),
            "the model has only 4 features that are numbers, and the figure takes 5 | fit a "
            "Gaussian or softmax model of more columns of numbers, or choose another kind of "
            "figure");
}

TEST(Features, ThatSeparateBestAreFoundAmongMany) {
  Table table = random_table(300, 60, 2, 3);
  for (Index i = 0; i < table.rows(); ++i) {
    for (const Index j : {51, 57})
      table.numbers(i, j) = 0.3 * table.numbers(i, j) +
                            9.0 * table.labels[static_cast<std::size_t>(i)] * (j == 51 ? 1 : -1);
  }
  const Model model = fit(table, gaussian_naive_bayes()).model;
  EXPECT_EQ(figure::separating_features(model, 2),
            (std::vector<std::string>{table.number_names()[51], table.number_names()[57]}));
}

TEST(Regions, RefuseWhatCannotBeShown) {
  const Table table = with_colour(100);
  const Model model = fit(table, qda()).model;
  EXPECT_EQ(error_of([&] {
              (void)figure::regions(model, nullptr, shown({"u", "colour"}));
            }),
            "'colour' is binary, and axes are numbers | choose among 'u', 'v'");
  EXPECT_EQ(error_of([&] {
              (void)figure::regions(model, nullptr, shown({"u", "v", "w"}));
            }),
            "the figure has 2 axes | name fewer features");
  figure::Options options = shown({"u", "v"});
  options.ranges = {figure::Range{2, 1}};
  EXPECT_EQ(error_of([&] { (void)figure::regions(model, nullptr, options); }),
            "the range of 'u' is empty | let it begin below its end");
  const Classifier linear = fit(table, AnyRecipe(logistic())).model;
  EXPECT_EQ(error_of([&] {
              (void)figure::regions(linear, nullptr, shown({"u", "v"}));
            }),
            "nothing says how far 'u' reaches: there are no data, and the model has no density | "
            "give the data, too, or both x_range and y_range");
  options.ranges = {figure::Range{0, 1}, figure::Range{0, 1}};
  EXPECT_EQ(figure::regions(linear, nullptr, options).grid.x.back(), 1);
}

}  // namespace
}  // namespace genera::regions_test
