#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <new>
#include <numbers>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <genera/fit.hpp>
#include <genera/predictor.hpp>
#include <genera/query.hpp>

#include "support/problems.hpp"

namespace genera::query_test {
namespace {

using testing::error_of;
using testing::largest_difference;
using testing::random_table;
using testing::whole_family;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class EveryModel : public ::testing::TestWithParam<std::size_t> {
 protected:
  Table table = random_table(333, 9, 4, 1);
  Model model = fit(table, whole_family()[GetParam()]).model;
};
INSTANTIATE_TEST_SUITE_P(Query, EveryModel, ::testing::Range<std::size_t>(0, 7));

TEST_P(EveryModel, PosteriorsSumToOneAndAreTheNormalisedJoint) {
  const Matrix p = posterior(model, table), joint = log_joint(model, table);
  const Vector density = log_density(model, table);
  for (Index i = 0; i < p.rows(); ++i) {
    double sum = 0;
    for (Index k = 0; k < 4; ++k) {
      sum += p(i, k);
      EXPECT_NEAR(p(i, k), std::exp(joint(i, k) - density[static_cast<std::size_t>(i)]), 1e-12);
    }
    EXPECT_NEAR(sum, 1, 1e-14);
  }
}

TEST_P(EveryModel, LogPosteriorsAreLogarithmsAtAnyTemperature) {
  for (const double temperature : {1.0, 3.5}) {
    const Model known = model.with_temperature(temperature);
    const Matrix p = posterior(known, table), logs = log_posterior(known, table);
    for (Index i = 0; i < p.rows(); ++i) {
      for (Index k = 0; k < 4; ++k) EXPECT_NEAR(std::exp(logs(i, k)), p(i, k), 1e-12);
    }
    EXPECT_EQ(log_posterior(known, table, {.threads = 3}), logs);
  }
}

TEST(LogPosterior, TellsApartWhatIsTooSmallForADouble) {
  const Table table = make_table({"a"}, Matrix(4, 1, {0, 2, 100, 102}), {"l", "l", "r", "r"});
  const Model model = fit(table, lda()).model;  // variance 1, means 1 and 101
  const Matrix far = log_posterior(model, Matrix(1, 1, {-99}));
  EXPECT_EQ(posterior(model, Matrix(1, 1, {-99}))(0, 1), 0);
  EXPECT_NEAR(far(0, 1), -0.5 * (200 * 200 - 100 * 100), 1e-9);
  EXPECT_EQ(far(0, 0), 0);
}

TEST(LogPosterior, AnImpossibleRowGetsThePrior) {
  Recipe recipe = multinomial();
  recipe.discrete.smoothing = 0;
  const Table texts = make_text_table("t", {"aa aa", "bb", "bb"}, {"l", "r", "r"});
  const Model model = fit(texts, recipe).model;
  const Matrix logs = log_posterior(model, make_text_table("t", {"aa bb"}));
  EXPECT_NEAR(logs(0, 0), std::log(1.0 / 3), 1e-15);
  EXPECT_NEAR(logs(0, 1), std::log(2.0 / 3), 1e-15);
}

TEST_P(EveryModel, TheLabelIsTheFirstMostProbableClass) {
  const Matrix joint = log_joint(model, table);
  const std::vector<std::int32_t> labels = predict(model, table);
  for (Index i = 0; i < joint.rows(); ++i) {
    const auto row = joint.row(i);
    EXPECT_EQ(labels[static_cast<std::size_t>(i)],
              std::max_element(row.begin(), row.end()) - row.begin());
  }
}

TEST_P(EveryModel, OneRowABatchAndManyThreadsHaveTheSameBits) {
  const Matrix p = posterior(model, table), joint = log_joint(model, table);
  EXPECT_EQ(posterior(model, table, {.threads = 3}), p);
  Predictor predictor(model);
  std::vector<double> one(4);
  for (Index i = 0; i < table.rows(); ++i) {
    const auto row = table.numbers.row(i);
    const MatrixView view(row.data(), 1, 9, {9, 1});
    EXPECT_TRUE(
        std::equal(p.row(i).begin(), p.row(i).end(), posterior(model, view).row(0).begin()));
    EXPECT_TRUE(std::equal(joint.row(i).begin(), joint.row(i).end(),
                           log_joint(model, view).row(0).begin()));
    EXPECT_EQ(predictor.predict(row, one), predict(model, view).front());
    EXPECT_TRUE(std::equal(one.begin(), one.end(), p.row(i).begin()));
    EXPECT_EQ(predictor.log_density(row), log_density(model, view).front());
  }
}

TEST_P(EveryModel, MahalanobisDistancesAreThoseOfTheCovariance) {
  const Matrix d2 = mahalanobis(model, table), joint = log_joint(model, table);
  const auto& block = std::get<GaussianBlock>(model.blocks().front());
  for (Index k = 0; k < 4; ++k) {  // log joint + D^2 / 2 is the same number for all rows
    const double constant = joint(0, k) + 0.5 * d2(0, k);
    for (Index i = 1; i < 50; ++i) EXPECT_NEAR(joint(i, k) + 0.5 * d2(i, k), constant, 1e-11);
    Matrix at_mean(1, 9);
    std::copy_n(block.parameters().means.row(k).begin(), 9, at_mean.row(0).begin());
    EXPECT_NEAR(mahalanobis(model, at_mean)(0, k), 0, 1e-20);
  }
}

TEST_P(EveryModel, AnotherPriorShiftsTheLogOdds) {
  const Model shifted = model.with_prior(Prior({0.1, 0.2, 0.3, 0.4}));
  const Matrix before = log_joint(model, table), after = log_joint(shifted, table);
  for (Index k = 0; k < 4; ++k)
    EXPECT_NEAR(after(5, k) - before(5, k),
                std::log(0.1 * static_cast<double>(k + 1)) -
                    model.prior().log()[static_cast<std::size_t>(k)],
                1e-12);
}

TEST_P(EveryModel, ARowBeyondAllNumbersIsComparedOrRefused) {
  for (const double far : {1e200, 1e300, -1e308}) {
    const Matrix x(1, 9, far);
    EXPECT_EQ(log_density(model, x)[0], -HUGE_VAL);
    try {
      const Matrix p = posterior(model, x);
      EXPECT_EQ(std::ranges::max(p.row(0)), 1);
      EXPECT_EQ(p(0, predict(model, x)[0]), 1);
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("too large to compare the classes"),
                std::string::npos);
    }
  }
}

TEST_P(EveryModel, AnyStorageIsReadInPlace) {
  std::vector<double> by_columns;
  std::vector<float> floats;
  for (Index j = 0; j < 9; ++j) {
    for (Index i = 0; i < table.rows(); ++i) by_columns.push_back(table.numbers(i, j));
  }
  Table rounded = table;
  for (Index i = 0; i < table.rows(); ++i) {
    for (double& value : rounded.numbers.row(i)) {
      floats.push_back(static_cast<float>(value));
      value = static_cast<double>(floats.back());
    }
  }
  const Index n = table.rows();
  EXPECT_EQ(posterior(model, MatrixView(by_columns.data(), n, 9, {1, n})), posterior(model, table));
  EXPECT_EQ(posterior(model, MatrixView(floats.data(), n, 9, {9, 1})), posterior(model, rounded));
}

TEST(Pruning, GivesTheLabelsOfTheFullComputation) {
  for (const Index d : {1, 5, 6, 40, 97}) {
    const Table table = random_table(2000, d, 7, static_cast<std::uint64_t>(d));
    const Model model = fit(table, rda(0.8, 0.1)).model;
    const Matrix joint = log_joint(model, table);
    const std::vector<std::int32_t> labels = predict(model, table);
    for (Index i = 0; i < joint.rows(); ++i) {
      const auto row = joint.row(i);
      ASSERT_EQ(labels[static_cast<std::size_t>(i)],
                std::max_element(row.begin(), row.end()) - row.begin());
    }
  }
}

TEST(Pruning, IsGivenUpWhereClassesOverlapAndTheLabelsStay) {
  Table table = random_table(60000, 13, 3, 4);  // so many that a task has several batches
  for (std::size_t i = 0; i < table.labels.size(); ++i)
    table.labels[i] = static_cast<std::int32_t>(i % 3);  // whatever the numbers say
  const Model model = fit(table, qda()).model;
  const Matrix joint = log_joint(model, table);
  const std::vector<std::int32_t> labels = predict(model, table);
  for (Index i = 0; i < joint.rows(); ++i) {
    const auto row = joint.row(i);
    ASSERT_EQ(labels[static_cast<std::size_t>(i)],
              std::max_element(row.begin(), row.end()) - row.begin());
  }
}

TEST(Pruning, TiesGoToTheClassThatSortsFirst) {
  const Matrix same(2, 2, {1, 0, 0, 1});
  const GaussianBlock block(
      {.columns = {"a", "b"}, .means = Matrix(3, 2, 0.0), .covariances = {same, same, same}});
  const Model model({"x", "y", "z"}, Prior::uniform(3), {block});
  EXPECT_EQ(predict(model, Matrix(20, 2, 0.7)), std::vector<std::int32_t>(20, 0));
  EXPECT_EQ(predict(model.with_prior(Prior({0, 0.5, 0.5})), Matrix(20, 2, 0.7)),
            std::vector<std::int32_t>(20, 1));
}

TEST(Query, OfVeryManyClassesIsThePlainFormula) {  // whose results do not fit into a cache
  constexpr Index classes = 40'000;
  GaussianParameters p{.family = Family::gnb,
                       .columns = {"a", "b"},
                       .means = Matrix(classes, 2),
                       .variances = Matrix(classes, 2)};
  std::vector<std::string> names;
  for (Index k = 0; k < classes; ++k) {
    names.push_back(std::to_string(100'000 + k));
    p.means(k, 0) = static_cast<double>(k % 200);
    p.means(k, 1) = static_cast<double>(k / 200);
    p.variances(k, 0) = 1 + static_cast<double>(k % 3);
    p.variances(k, 1) = 0.5;
  }
  const Model model(names, Prior(Vector(classes, 1.0 / classes)), {GaussianBlock(p)});
  Matrix rows(37, 2);
  for (Index i = 0; i < rows.rows(); ++i) {
    rows(i, 0) = 5.3 * static_cast<double>(i);
    rows(i, 1) = 199 - 5.1 * static_cast<double>(i);
  }
  const Vector found = log_density(model, rows);
  for (const Index i : {Index{0}, Index{15}, Index{16}, Index{36}}) {
    double sum = 0;
    for (Index k = 0; k < classes; ++k) {
      const double a = rows(i, 0) - p.means(k, 0), b = rows(i, 1) - p.means(k, 1);
      sum += std::exp(-0.5 * (a * a / p.variances(k, 0) + b * b / p.variances(k, 1))) /
             std::sqrt(p.variances(k, 0) * p.variances(k, 1));
    }
    const double expected = std::log(sum / (classes * 2 * std::numbers::pi));
    EXPECT_NEAR(found[static_cast<std::size_t>(i)], expected, 1e-11);
    const Matrix one(1, 2, {rows(i, 0), rows(i, 1)});
    EXPECT_EQ(log_density(model, one)[0], found[static_cast<std::size_t>(i)]);
  }
}

TEST(Lda, DistantClassesLoseNoDigits) {
  GaussianParameters p{.family = Family::lda,
                       .columns = {"a"},
                       .means = Matrix(3, 1, {0, 1, 1e7}),
                       .covariances = {Matrix(1, 1, {1})}};
  const Model model({"x", "y", "z"}, Prior::uniform(3), {GaussianBlock(p)});
  const Matrix posteriors = posterior(model, Matrix(1, 1, {0.25}));
  EXPECT_NEAR(posteriors(0, 1), 1 / (1 + std::exp(0.25)), 1e-12);  // log odds x - 1/2
}

TEST(Lda, FarRowsFollowTheLinearLogOdds) {
  GaussianParameters p{.family = Family::lda,
                       .columns = {"a"},
                       .means = Matrix(2, 1, {0, 1}),
                       .covariances = {Matrix(1, 1, {1})}};
  const Model model({"x", "y"}, Prior::uniform(2), {GaussianBlock(p)});
  EXPECT_EQ(posterior(model, Matrix(2, 1, {1e150, -1e150})), Matrix(2, 2, {0, 1, 1, 0}));
}

TEST(Query, RefusesInfiniteAndWrongColumns) {
  const Table table = random_table(40, 2, 2, 3);
  const Model model = fit(table, lda()).model;
  Table missing = table;
  missing.numbers(3, 1) = NAN;
  missing.numbers(7, 0) = -HUGE_VAL;
  EXPECT_EQ(error_of([&] { (void)posterior(model, missing); }),
            "row 8: 'x0' is infinite | replace the value");
  EXPECT_TRUE(has(error_of([&] { (void)predict(model, Matrix(1, 3)); }),
                  "the rows have 3 columns, the model has 2 features"));
  EXPECT_TRUE(has(error_of([&] {
                    (void)predict(model, make_table({"x0", "X1"}, Matrix(1, 2)));
                  }),
                  "the table has no numeric column 'x1' | did you mean 'X1'"));
}

TEST(Predictor, AnswersBadRowsWithoutThrowing) {
  const Table table = random_table(40, 2, 2, 4);
  Predictor predictor(fit(table, qda()).model);
  std::vector<double> p(2);
  EXPECT_EQ(predictor.predict(std::vector<double>{1, HUGE_VAL}, p), -1);
  EXPECT_NEAR(p[0] + p[1], 1, 1e-15);
  EXPECT_EQ(predictor.predict(std::vector<double>{1}, p), -1);
  EXPECT_EQ(predictor.predict(std::vector<float>{1, 2}, p),
            predictor.predict(std::vector<double>{1, 2}));
  EXPECT_TRUE(std::isnan(predictor.log_density(std::vector<double>{HUGE_VAL, 1})));
  const std::vector<double> lacks{1, std::nan("")};
  EXPECT_GE(predictor.predict(lacks, p), 0);
  EXPECT_TRUE(std::isfinite(predictor.log_density(lacks)));
  Predictor linear(fit(table, logistic()).model);
  EXPECT_EQ(linear.predict(lacks, p), -1);
  EXPECT_NEAR(p[0] + p[1], 1, 1e-15);
  Predictor copy = predictor;
  EXPECT_EQ(copy.features(), 2);
  EXPECT_EQ(copy.classes(), 2);
}

}  // namespace
}  // namespace genera::query_test
