#include <algorithm>
#include <cmath>
#include <ctime>

#include <gtest/gtest.h>

#include <genera/explain.hpp>
#include <genera/figure.hpp>
#include <genera/fit.hpp>
#include <genera/query.hpp>

#include "support/problems.hpp"

namespace genera::judgements_test {
namespace {

using testing::error_of;

const Table& iris() {
  static const Table table = read_csv("@iris", {.target = "species"});
  return table;
}

TEST(Canonical, VariatesHaveUnitVarianceWithinClasses) {
  const figure::Canonical figure = figure::canonical(fit(iris(), lda()).model, iris());
  const figure::Points& points = figure.regions.points;
  for (Index a = 0; a < 2; ++a) {
    double square = 0;
    for (Index i = 0; i < 150; ++i)
      square += std::pow(points.at[static_cast<std::size_t>(a)][static_cast<std::size_t>(i)] -
                             figure.means(i / 50, a),
                         2);
    EXPECT_NEAR(square / (150 - 3), 1, 1e-9);
  }
  EXPECT_EQ(figure.regions.frame.axes[0].name, "canonical variate 1 (99.1 %)");
}

// Two variates of three classes hold all that separates them: the regions in their plane are those
// of the model.
TEST(Canonical, RegionsOfThreeClassesWithOneCovarianceAreThoseOfAllFeatures) {
  const figure::Canonical figure =
      figure::canonical(fit(iris(), lda()).model, iris(), {.columns = 600, .rows = 600});
  const figure::Regions& regions = figure.regions;
  const auto cell = [](const Vector& places, double x) {
    return static_cast<Index>(std::lround((x - places.front()) / (places[1] - places[0])));
  };
  for (Index i = 0; i < 150; ++i) {
    const auto p = static_cast<std::size_t>(i);
    const Index at = cell(regions.grid.y, regions.points.at[1][p]) * 600 +
                     cell(regions.grid.x, regions.points.at[0][p]);
    EXPECT_EQ(regions.labels[static_cast<std::size_t>(at)], regions.points.predictions[p]);
  }
}

TEST(Canonical, OfTwoClassesIsALine) {
  const Table table = testing::random_table(200, 3, 2, 5);
  const figure::Canonical figure = figure::canonical(fit(table, qda()).model, table);
  ASSERT_TRUE(figure.line);
  EXPECT_EQ(figure.line->frame.axes[0].name, "canonical variate 1 (100 %)");
  const Classifier linear = fit(table, AnyRecipe(logistic())).model;
  const figure::Canonical of_linear = figure::canonical(linear, table);
  EXPECT_EQ(of_linear.line->boundaries.size(), 1U);
  EXPECT_EQ(of_linear.line->frame.caption[0],
            "the features move with the variates as they do within the classes");
}

TEST(Canonical, NeedsLabels) {
  Table table = iris();
  const Model model = fit(table, lda()).model;
  table.labels.clear();
  table.target.clear();
  EXPECT_EQ(error_of([&] { (void)figure::canonical(model, table); }),
            "the rows have no labels, and canonical variates are about classes | name the column "
            "that holds the class with target");
}

TEST(Confusion, IsThatOfTheEvaluation) {
  const Evaluation evaluation = evaluate(fit(iris(), lda()).model, iris());
  const figure::Confusion figure = figure::confusion(evaluation);
  EXPECT_EQ(figure.counts(1, 2), 2);
  EXPECT_EQ(figure.counts(2, 1), 1);
  EXPECT_EQ(figure.shares(1, 1), 48.0 / 50);
  EXPECT_EQ(figure.frame.caption[0],
            "3 of 150 rows are wrong (2 %); shades are shares of each true class");
}

TEST(Reliability, HasTheBinsWithRows) {
  const Evaluation evaluation = evaluate(fit(iris(), lda()).model, iris());
  const figure::Reliability figure = figure::reliability(evaluation);
  Index rows = 0;
  for (const ReliabilityBin& bin : figure.bins) {
    EXPECT_GT(bin.rows, 0);
    rows += bin.rows;
  }
  EXPECT_EQ(rows, 150);
  EXPECT_EQ(figure.error, evaluation.expected_calibration_error());
}

/// By trapezoids.
double area_below(const figure::RocCurve& curve) {
  double sum = 0;
  for (std::size_t i = 1; i < curve.x.size(); ++i)
    sum += (curve.x[i] - curve.x[i - 1]) * (curve.y[i] + curve.y[i - 1]) / 2;
  return sum;
}

TEST(Roc, AreaBelowTheCurveIsTheShareOfPairs) {
  Table table = testing::random_table(300, 2, 3, 9);
  for (Index i = 0; i < table.rows(); ++i)  // ties
    for (Index j = 0; j < 2; ++j) table.numbers(i, j) = std::round(table.numbers(i, j));
  const Model model = fit(table, qda()).model;
  const figure::Roc figure = figure::roc(model, table);
  ASSERT_EQ(figure.curves.size(), 3U);
  for (const figure::RocCurve& curve : figure.curves) {
    EXPECT_NEAR(area_below(curve), curve.area, 1e-12);
    EXPECT_EQ(curve.x.front(), 0);
    EXPECT_EQ(curve.y.back(), 1);
    for (std::size_t i = 1; i < curve.x.size(); ++i) {
      EXPECT_GE(curve.x[i], curve.x[i - 1]);
      EXPECT_GE(curve.y[i], curve.y[i - 1]);
    }
  }
}

TEST(Roc, OfPosteriorsIsThatOfTheModelThatGaveThem) {
  const Model model = fit(iris(), lda()).model;
  const figure::Roc expected = figure::roc(model, iris());
  const figure::Roc found = figure::roc(model.classes(), posterior(model, iris()), Rows(iris()));
  ASSERT_EQ(found.curves.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(found.curves[k].x, expected.curves[k].x);
    EXPECT_EQ(found.curves[k].y, expected.curves[k].y);
    EXPECT_EQ(found.curves[k].area, expected.curves[k].area);
  }
  EXPECT_EQ(error_of([&] {
              (void)figure::roc({"a", "b"}, Matrix(1, 2), Rows(iris()));
            }),
            "the posteriors do not fit the rows and the classes | give a row of posteriors for "
            "each row, with a column for each class");
}

TEST(Roc, OfTwoClassesIsOneCurve) {
  const Table table = testing::random_table(100, 2, 2, 2);
  const Model model = fit(table, lda()).model;
  const figure::Roc figure = figure::roc(model, table, 0);
  ASSERT_EQ(figure.curves.size(), 1U);
  EXPECT_EQ(figure.curves[0].name, model.classes()[0]);
  EXPECT_EQ(figure.curves[0].area, evaluate(model, table).area_under_roc(0));
  EXPECT_EQ(error_of([&] { (void)figure::roc(model, testing::rows_of(table, {}), 0); }),
            "there are not rows of two classes of the model | give rows of several classes");
}

TEST(FeaturesFigure, SeparationIsTheShareOfTheVarianceBetweenTheClasses) {
  const figure::Features figure = figure::features(fit(iris(), qda()).model);
  ASSERT_EQ(figure.separation.size(), 4U);
  for (const figure::Bar& bar : figure.separation) {
    const std::vector<std::string> names = iris().number_names();
    const Index j = std::ranges::find(names, bar.name) - names.begin();
    double total = 0, mean = 0, within = 0;
    for (Index i = 0; i < 150; ++i) mean += iris().numbers(i, j) / 150;
    for (Index k = 0; k < 3; ++k) {
      double own = 0;
      for (Index i = 50 * k; i < 50 * (k + 1); ++i) own += iris().numbers(i, j) / 50;
      for (Index i = 50 * k; i < 50 * (k + 1); ++i)
        within += std::pow(iris().numbers(i, j) - own, 2);
    }
    for (Index i = 0; i < 150; ++i) total += std::pow(iris().numbers(i, j) - mean, 2);
    EXPECT_NEAR(bar.value, 1 - within / total, 1e-12);
  }
  EXPECT_GE(figure.separation[0].value, figure.separation[1].value);
}

TEST(FeaturesFigure, WordsAreTheStrongestEvidence) {
  const Table table =
      make_text_table("text", {"red red wine", "white wine", "red rose wine"}, {"a", "b", "a"});
  const Model model = fit(table, multinomial()).model;
  const figure::Features figure = figure::features(model, 2);
  const auto evidence = strongest_evidence(model, 2);
  EXPECT_TRUE(figure.separation.empty());
  ASSERT_EQ(figure.evidence.size(), 2U);
  EXPECT_EQ(figure.evidence[0][0].name, evidence[0][0].feature);
  EXPECT_EQ(figure.evidence[1][0].value, evidence[1][0].log_odds);
}

TEST(Trends, AreThoseOfCurvesAndClusters) {
  const LearningCurves curves =
      learning_curves(iris(), {{"lda", lda()}, {"logistic", AnyRecipe(logistic())}},
                      {.sizes = {15, 40}, .repeats = 3});
  const figure::Trends of_curves = figure::curves(curves, Metric::log_loss);
  ASSERT_EQ(of_curves.trends.size(), 2U);
  EXPECT_TRUE(of_curves.trends[0].solid);
  EXPECT_FALSE(of_curves.trends[1].solid);
  EXPECT_EQ(of_curves.trends[1].y[1], curves.curves[1].points[1].log_loss.mean);
  EXPECT_EQ(of_curves.frame.caption[0],
            "means of 3 random splits, with standard errors; dashed: discriminative");
  ClusterOptions options;
  options.mixture.components = {1, 3};
  const Clustering clustering = cluster(iris(), options);
  const figure::Trends of_clusters = figure::bic(clustering);
  ASSERT_EQ(of_clusters.trends.size(), 4U);
  ASSERT_TRUE(of_clusters.best);
  EXPECT_EQ(of_clusters.trends[of_clusters.best->first].y[of_clusters.best->second],
            clustering.candidates[clustering.best].bic);
  EXPECT_TRUE(of_clusters.frame.caption.empty());
}

TEST(Trends, AreThoseOfPointsFromElsewhere) {
  const LearningCurve curve{.name = "lda", .points = {{.size = 15, .error = {0.25, 0.125}}}};
  const figure::Trends of_curves =
      figure::curves({curve}, 7, Metric::error, {{"lda", "logistic", 30.4}});
  EXPECT_EQ(of_curves.trends.at(0).y, Vector{0.25});
  EXPECT_EQ(of_curves.trends.at(0).error, Vector{0.125});
  EXPECT_EQ(of_curves.marks, Vector{30.4});
  EXPECT_EQ(of_curves.frame.caption.at(1), "lda and logistic cross at 30 rows");
  EXPECT_EQ(of_curves.frame.caption.at(0),
            "means of 7 random splits, with standard errors; dashed: discriminative");
  const figure::Trends of_clusters = figure::bic({{.components = 1, .bic = 5},
                                                  {.components = 2, .bic = 3, .on_floor = true},
                                                  {.covariance = Covariance::tied, .bic = 4}},
                                                 2);
  EXPECT_EQ(of_clusters.trends.at(0).usable, (std::vector<std::uint8_t>{1, 0}));
  EXPECT_EQ(of_clusters.best, (std::pair<std::size_t, std::size_t>{1, 0}));
  EXPECT_EQ(of_clusters.frame.caption.at(0), "crosses: a component collapsed; not ranked");
}

TEST(Trends, OfRowsNeededHaveAGuide) {
  const figure::Trends figure = figure::needed({{"logistic", false, 2, 40, 30, 50},
                                                {"dlda", true, 2, 10, 5, {}},
                                                {"logistic", false, 8, 160, 120, 200},
                                                {"dlda", true, 8, 20, 15, 25},
                                                {"logistic", false, 16, {}, {}, {}}},
                                               0.02);
  ASSERT_EQ(figure.trends.size(), 2U);
  EXPECT_EQ(figure.trends[0].x, (Vector{2, 8}));
  EXPECT_EQ(figure.trends[0].low, (Vector{30, 120}));
  EXPECT_EQ(figure.trends[1].high, (Vector{10, 25}));
  EXPECT_FALSE(figure.trends[0].solid);
  ASSERT_TRUE(figure.guide);
  EXPECT_NEAR(figure.guide->y[0], 20, 1e-12);  // the geometric mean of 40 and 10
  EXPECT_NEAR(figure.guide->y[1], 80, 1e-12);  // four times the columns
  EXPECT_EQ(figure.frame.caption.at(1), "logistic with 16 columns: outside of the tested sizes");
  EXPECT_EQ(error_of([] {
              (void)figure::needed({{"lda", true, 2, {}, {}, {}}}, 0.02);
            }),
            "every number of rows lies outside of the tested sizes | test more numbers of rows "
            "with sizes");
}

TEST(Path, IsTheGridWithItsMissingCellsAndTheChoice) {
  const double none = std::nan("");
  const std::vector<figure::GridScore> scores{
      {0, 0, 0.5}, {0.5, 0, 0.25}, {0, 1, none}, {0.5, 1, 0.75}, {1, 0, 0.5}};
  const figure::HeatMap figure = figure::path(scores, std::pair(1.0, 0.0), Metric::error);
  EXPECT_EQ(figure.x, (Vector{0, 0.5, 1}));
  EXPECT_EQ(figure.y, (Vector{0, 1}));
  EXPECT_EQ(figure.values(0, 1), 0.25);
  EXPECT_EQ(figure.values(1, 1), 0.75);
  EXPECT_TRUE(std::isnan(figure.values(1, 0)));
  EXPECT_TRUE(std::isnan(figure.values(1, 2)));
  EXPECT_EQ(figure.value_name, "error rate, cross-validated");
  EXPECT_EQ(figure.best, (std::pair<Index, Index>{0, 2}));
  EXPECT_EQ(figure::path(scores).best, (std::pair<Index, Index>{0, 1}));
  EXPECT_EQ(figure::path(scores, std::pair(none, none)).best, (std::pair<Index, Index>{0, 1}));
  EXPECT_EQ(error_of([] { (void)figure::path({}); }),
            "there is no grid of alpha and gamma | choose among points of rda with models = rda");
}

/// To look at a column does not take a look at all others.
TEST(Scatter, OfManyColumnsTakesNoLongerForEach) {
  constexpr Index columns = 100'000;
  std::vector<std::string> names;
  Matrix numbers(4, columns);
  for (Index j = 0; j < columns; ++j) {
    names.push_back("x" + std::to_string(j));
    for (Index i = 0; i < 4; ++i) numbers(i, j) = static_cast<double>((i * 31 + j * 7) % 11);
  }
  const Table table = make_table(names, numbers, {"a", "b", "a", "b"});
  const std::clock_t start = std::clock();
  EXPECT_EQ(figure::scatter(table).frame.axes.size(), 2U);
  EXPECT_LT(std::clock() - start, 12 * CLOCKS_PER_SEC);
}

/// The classes of the rows are not sought among all of them one by one.
TEST(Scatter, OfManyClassesTakesNoLongerForEach) {
  constexpr Index classes = 100'000;
  std::vector<std::string> labels;
  for (Index i = 0; i < classes; ++i) labels.push_back("class " + std::to_string(i));
  const Table table = make_table({"a", "b"}, Matrix(classes, 2, 1.5), labels);
  const std::clock_t start = std::clock();
  EXPECT_EQ(std::ssize(figure::scatter(table, {.axes = {"a", "b"}}).points.classes), classes);
  EXPECT_LT(std::clock() - start, 12 * CLOCKS_PER_SEC);
}

TEST(Scatter, ShowsLabelledAndOtherRows) {
  const figure::Scatter figure = figure::scatter(iris());
  EXPECT_EQ(figure.frame.classes, (std::vector<std::string>{"setosa", "versicolor", "virginica"}));
  EXPECT_EQ(figure.points.count(), 150);
  Table table = make_table({"a", "b"}, Matrix(2, 2, {1, 2, 1, 2}));
  const figure::Scatter same = figure::scatter(table);
  EXPECT_LT(same.frame.axes[0].range.low, 1);
  EXPECT_GT(same.frame.axes[0].range.high, 1);
  EXPECT_EQ(error_of([&] {
              (void)figure::scatter(make_table({"a"}, Matrix(2, 1, {1, 2})));
            }),
            "the table has only 1 feature that is a number, and the figure takes 2 | choose a "
            "table with more columns of numbers");
}

}  // namespace
}  // namespace genera::judgements_test
