#include <genera/linear.hpp>

#include <cmath>
#include <limits>
#include <type_traits>

#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

namespace genera::linear_model_test {
namespace {

using testing::Cells;
using testing::error_of;
using testing::table_of;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Two measurements, a category, a text.
LogisticParameters given() {
  return {.features = {NumberFeatures{.columns = {"x", "y"}},
                       LevelFeatures{.column = "colour", .levels = {"green", "red"}},
                       TermFeatures{.column = "note", .terms = {"ham", "win"}}},
          .intercepts = {0.5, -1},
          .coefficients = Matrix(2, 6, {1, 2, 3, 4, 5, 6, -1, 0, 0.5, 1, 2, 4})};
}

LinearModel model_of(LinearModel::Parameters parameters, Prior prior = Prior({0.25, 0.75})) {
  return {{"k", "l"}, std::move(prior), std::move(parameters)};
}

ComplementParameters complement_of_counts() {
  return {.features = NumberFeatures{.columns = {"a", "b"}, .type = ColumnType::count},
          .probabilities = Matrix(2, 2, {0.8, 0.2, 0.4, 0.6})};
}

Table asked(const std::vector<Cells>& rows) {
  return table_of({{"note", ColumnType::text},
                   {"y", ColumnType::numeric},
                   {"colour", ColumnType::categorical},
                   {"x", ColumnType::numeric}},
                  rows);
}

template <class Change>
std::string refused(LogisticParameters p, Change change) {
  change(p);
  return error_of([&] { (void)model_of(p); });
}

TEST(LinearModel, AddsUpWhatARowHas) {
  const LinearModel model = model_of(given());
  const Answers said = answers(model, asked({{"win ham win", "10", "red", "3", ""},
                                             {"eggs", "0", "blue", "0", ""},
                                             {"eggs", "-1", "blue", "0", ""}}));
  EXPECT_EQ(said.log_joint(0, 0), 0.5 + (1 * 3 + 2 * 10) + 4 + (6 * 2 + 5));
  EXPECT_EQ(said.log_joint(0, 1), -1 + (-1 * 3 + 0 * 10) + 1 + (4 * 2 + 2));
  EXPECT_EQ(said.log_joint(1, 0), 0.5);  // what was never seen has no share
  EXPECT_EQ(said.log_joint(1, 1), -1);
  EXPECT_EQ(said.log_joint(2, 0), 0.5 - 2);
  EXPECT_EQ(said.log_joint(2, 1), -1);
  EXPECT_NEAR(said.posterior(1, 0), 1 / (1 + std::exp(-1.5)), 1e-15);
  EXPECT_EQ(said.labels, (std::vector<std::int32_t>{0, 0, 1}));
  EXPECT_EQ(said.unseen, 2);
  EXPECT_EQ(said.missing, (MissingCells{}));
  EXPECT_EQ(said.impossible, 0);
}

TEST(LinearModel, TellsWhatItIsMadeOf) {
  const LinearModel model = model_of(given());
  EXPECT_EQ(model.kind(), LinearModel::Kind::logistic);
  EXPECT_EQ(name_of(model.kind()), "logistic");
  EXPECT_EQ(model.features(), (std::vector<Column>{{"x", ColumnType::numeric},
                                                   {"y", ColumnType::numeric},
                                                   {"colour", ColumnType::categorical},
                                                   {"note", ColumnType::text}}));
  EXPECT_EQ(model.intercepts(), given().intercepts);
  EXPECT_EQ(model.coefficients(), given().coefficients);
  EXPECT_EQ(model.free_parameters(), 7);
  EXPECT_EQ(model.with_notes({"seen"}).notes(), (std::vector<std::string>{"seen"}));
  const LinearModel scorer = model_of(complement_of_counts());
  EXPECT_EQ(name_of(scorer.kind()), "complement");
  EXPECT_EQ(scorer.intercepts(), (Vector{0, 0}));
  EXPECT_EQ(scorer.coefficients()(1, 0), -std::log(0.4));
  EXPECT_EQ(scorer.free_parameters(), 2);
}

TEST(LinearModel, GivesTiesToTheFirstAndHasNoPriorInItsScores) {
  const Matrix x(2, 2, {0, 0, 3, 1});
  const LinearModel model = model_of(complement_of_counts());
  EXPECT_EQ(predict(model, x)[0], 0);
  EXPECT_EQ(posterior(model, x)(0, 0), 0.5);
  EXPECT_EQ(posterior(model_of(complement_of_counts(), Prior({1, 0})), x), posterior(model, x));
}

TEST(LinearModel, OneRowIsTheBatch) {
  LogisticParameters p = given();
  p.features.pop_back();
  p.coefficients = Matrix(2, 4, {1, 2, 3, 4, -1, 0, 0.5, 1});
  const LinearModel model = model_of(p);
  const Matrix x(4, 3, {1.5, -2, 0, 0.1, 7, 1, 4, 2, 5, -3, 1e5, 1});
  Predictor predictor(model);
  const Matrix all = posterior(model, x);
  for (Index i = 0; i < x.rows(); ++i) {
    Vector one(2);
    EXPECT_EQ(predictor.predict(x.row(i), one), predict(model, x)[static_cast<std::size_t>(i)]);
    EXPECT_EQ(one, (Vector{all(i, 0), all(i, 1)}));
  }
  EXPECT_TRUE(std::isnan(predictor.log_density(x.row(0))));  // there is none
  for (const int threads : {1, 3}) EXPECT_EQ(posterior(model, x, {.threads = threads}), all);
}

/// Nineteen columns with centres, and the squares and products of three of them.
LogisticParameters many_numbers(Index classes) {
  NumberFeatures numbers;
  for (int j = 0; j < 19; ++j) {
    numbers.columns.push_back("x" + std::to_string(j));
    numbers.centres.push_back(0.1 * j);
  }
  const Cells columns{"x3", "x0", "x18"};
  LogisticParameters p{
      .features = {numbers, ProductFeatures{.columns = columns,
                                            .centres = {1, 2, 3},
                                            .scales = {2, 1, 3},
                                            .products = true,
                                            .names = product_names(columns, true)}},
      .coefficients = Matrix(classes, 25)};
  Rng rng(7);
  for (Index k = 0; k < classes; ++k) {
    p.intercepts.push_back(rng.normal());
    for (double& coefficient : p.coefficients.row(k)) coefficient = 0.3 * rng.normal();
  }
  return p;
}

Matrix normal_rows(Index rows, Index columns) {
  Matrix x(rows, columns);
  Rng rng(3);
  for (Index i = 0; i < rows; ++i) {
    for (double& cell : x.row(i)) cell = rng.normal();
  }
  return x;
}

TEST(LinearModel, NumbersHaveTheSameBitsInAnyBatch) {
  const LogisticParameters p = many_numbers(7);
  const LinearModel model({"a", "b", "c", "d", "e", "f", "g"}, Prior(Vector(7, 1.0 / 7)), p);
  const Matrix x = normal_rows(5000, 19);
  const Matrix all = posterior(model, x);
  for (const int threads : {1, 2, 3}) EXPECT_EQ(posterior(model, x, {.threads = threads}), all);
  Predictor predictor(model);
  const std::vector<Index> some{4999, 3, 17, 18, 2, 1000, 40};
  const Matrix listed = posterior(model, Rows(x).only(some));
  for (std::size_t i = 0; i < some.size(); ++i) {
    Vector one(7);
    (void)predictor.predict(x.row(some[i]), one);
    EXPECT_EQ(one, Vector(all.row(some[i]).begin(), all.row(some[i]).end()));
    const auto row = listed.row(static_cast<Index>(i));
    EXPECT_EQ(one, Vector(row.begin(), row.end()));
  }
}

TEST(LinearModel, NumbersAddUpInAnyBatch) {
  const LogisticParameters p = many_numbers(3);
  const LinearModel model({"a", "b", "c"}, Prior({0.2, 0.3, 0.5}), p);
  const auto& centres = std::get<NumberFeatures>(p.features[0]).centres;
  const Matrix x = normal_rows(37, 19);
  const Matrix scores = answers(model, x).log_joint;
  for (Index i = 0; i < x.rows(); ++i) {
    const double a = (x(i, 3) - 1) / 2, b = x(i, 0) - 2, c = (x(i, 18) - 3) / 3;
    const Vector products{a * a, b * b, c * c, a * b, a * c, b * c};
    for (Index k = 0; k < 3; ++k) {
      double sum = p.intercepts[static_cast<std::size_t>(k)];
      for (Index j = 0; j < 19; ++j)
        sum += p.coefficients(k, j) * (x(i, j) - centres[static_cast<std::size_t>(j)]);
      for (Index j = 0; j < 6; ++j)
        sum += p.coefficients(k, 19 + j) * products[static_cast<std::size_t>(j)];
      EXPECT_NEAR(scores(i, k), sum, 1e-13 * (1 + std::abs(sum)));
    }
  }
}

TEST(LinearModel, CountsOfSoftmaxRegressionMustBeCounts) {
  const LinearModel model = model_of(LogisticParameters{
      .features = {NumberFeatures{.columns = {"a", "b"}, .type = ColumnType::count}},
      .intercepts = {0, 0},
      .coefficients = Matrix(2, 2, {1, 2, 3, 4})});
  EXPECT_EQ(answers(model, Matrix(1, 2, {3, 0})).log_joint, Matrix(1, 2, {3, 9}));
  EXPECT_EQ(error_of([&] {
              (void)predict(model, Matrix(2, 2, {3, 0, 1, -1}));
            }),
            "row 2: 'b' is -1, which is not a count | counts are numbers of at least 0");
}

TEST(LinearModel, SubtractsCentresAndMultipliesStandardisedNumbers) {
  LogisticParameters p{.features = {NumberFeatures{.columns = {"x", "y"}, .centres = {10, -1}},
                                    ProductFeatures{.columns = {"y", "x"},
                                                    .centres = {1, 2},
                                                    .scales = {2, 4},
                                                    .products = true,
                                                    .names = product_names({"y", "x"}, true)}},
                       .intercepts = {0.5, -1},
                       .coefficients = Matrix(2, 5, {1, 2, 3, 4, 5, 0, 0, 0, 0, 0})};
  const LinearModel model = model_of(p);
  EXPECT_EQ(names_of(model.parts()[1]), (Cells{"y^2", "x^2", "y*x"}));
  EXPECT_EQ(model.features().size(), 2U);
  EXPECT_EQ(model.intercepts(), (Vector{0.5 - 10 + 2, -1}));
  const Matrix row(1, 2, {14, 5});
  const double a = (5 - 1) / 2.0, b = (14 - 2) / 4.0;
  EXPECT_EQ(answers(model, row).log_joint(0, 0),
            0.5 + (1 * 4 + 2 * 6) + (3 * a * a + 4 * b * b + 5 * a * b));
  const auto said = [&](auto change) {
    return refused(
        p, [&](LogisticParameters& q) { change(std::get<ProductFeatures>(q.features[1])); });
  };
  EXPECT_EQ(said([](auto& q) { q.scales[0] = 0; }),
            "a scale of a linear model is not positive | give numbers greater than 0");
  EXPECT_EQ(said([](auto& q) { q.centres.pop_back(); }),
            "1 centre and 2 scales for products of 2 columns | give one of each for every column");
  EXPECT_EQ(said([](auto& q) { q.names[0] = "z"; }),
            "the products of a linear model have other names than their columns say | name them by "
            "product_names");
  EXPECT_EQ(said([](auto& q) {
              q.columns[0] = "z";
              q.names = product_names(q.columns, true);
            }),
            "'z' has a square or a product, but is not a number of the model | list it among the "
            "numeric columns, too");
  EXPECT_EQ(refused(p, [](auto& q) { q.means = {1}; }),
            "1 mean for 5 features | give one for each, or none");
}

TEST(LinearModel, OfSoftmaxRegressionRefusesWhatIsMissing) {
  const LinearModel model = model_of(given());
  const auto said = [&](const Cells& row) {
    return error_of([&] { (void)predict(model, asked({row})); });
  };
  const std::string rest =
      " is missing, and logistic cannot answer without it | use a generative model such as model = "
      "lda, which marginalises what is missing, or impute it first";
  EXPECT_EQ(said({"win", "", "red", "1", ""}), "row 1: 'y'" + rest);
  EXPECT_EQ(said({"win", "1", "", "1", ""}), "row 1: 'colour'" + rest);
  EXPECT_EQ(said({"", "1", "red", "1", ""}), "row 1: 'note'" + rest);
}

TEST(LinearModel, RefusesRowsThatLeaveTheNumbers) {
  const LinearModel model = model_of(given());
  Table infinite = asked({{"win", "1", "red", "0", ""}});
  infinite.numbers(0, 1) = HUGE_VAL;
  EXPECT_EQ(error_of([&] { (void)predict(model, infinite); }),
            "row 1: 'x' is infinite | replace the value");
  EXPECT_EQ(error_of([&] {
              (void)predict(model, asked({{"win", "1e308", "red", "0", ""}}));
            }),
            "row 1: 'y' is 1e+308, too large to compare the classes | replace the value");
  const LinearModel scorer = model_of(complement_of_counts());
  EXPECT_EQ(error_of([&] {
              (void)predict(scorer, Matrix(1, 2, {-1, 0}));
            }),
            "row 1: 'a' is -1, which is not a count | counts are numbers of at least 0");
  Vector prior(2);
  EXPECT_EQ(Predictor(scorer).predict(Vector{-1, 0}, prior), -1);
  EXPECT_EQ(prior, (Vector{0.25, 0.75}));
}

TEST(LinearModel, ExplainsItself) {
  const auto why = explain(model_of(given()), asked({{"win", "1", "red", "2", ""}}), 9).front();
  EXPECT_EQ(why.base, 1.5);
  ASSERT_EQ(why.evidence.size(), 4U);
  EXPECT_EQ(why.evidence[0].feature, "x");
  EXPECT_EQ(why.evidence[0].log_odds, 4);
  EXPECT_EQ(why.evidence[1].feature, "colour=red");
  EXPECT_EQ(why.evidence[1].log_odds, 3);
  EXPECT_EQ(why.evidence[2].feature, "win");
  EXPECT_EQ(why.log_odds, 1.5 + 4 + 3 + 2 + 2);
  const auto strongest = strongest_evidence(model_of(given()), 9);
  ASSERT_EQ(strongest[0].size(), 4U);  // measurements have units of their own
  EXPECT_EQ(strongest[0][1].feature, "ham");
  EXPECT_EQ(strongest[0][1].log_odds, 1.5);
}

TEST(LinearModel, RefusesWhatIsNoModel) {
  const std::string hint = " | give every class its prior and its coefficients";
  EXPECT_EQ(refused(given(), [](auto& p) { p.intercepts = {1}; }),
            "2 classes, but the list of intercepts has 1" + hint);
  EXPECT_EQ(refused(given(), [](auto& p) { p.coefficients = Matrix(3, 6); }),
            "2 classes, but the matrix of coefficients has 3" + hint);
  EXPECT_EQ(refused(given(), [](auto& p) { p.coefficients = Matrix(2, 5); }),
            "6 features, but 5 coefficients for each class | give one for each");
  EXPECT_EQ(refused(given(), [](auto& p) { p.coefficients(0, 0) = nan; }),
            "a coefficient of a linear model is nan | give finite numbers");
  EXPECT_EQ(refused(given(), [](auto& p) { p.intercepts[0] = HUGE_VAL; }),
            "an intercept of a linear model is inf | give finite numbers");
  EXPECT_EQ(refused(given(), [](auto& p) { p.features.clear(); }),
            "a linear model needs a feature | give at least one");
  EXPECT_EQ(refused(given(), [](auto& p) { p.features[0] = NumberFeatures{}; }),
            "a part of a linear model has no feature | give at least one");
  EXPECT_EQ(
      refused(given(),
              [](auto& p) { std::get<NumberFeatures>(p.features[0]).type = ColumnType::text; }),
      "a part of a linear model has the type of another kind of column | numbers are numeric "
      "or counts, levels are categorical or binary");
  EXPECT_EQ(refused(given(), [](auto& p) { std::get<LevelFeatures>(p.features[1]).column = "x"; }),
            "the feature 'x' occurs twice | give each feature its own name");
  EXPECT_EQ(refused(given(),
                    [](auto& p) {
                      std::get<LevelFeatures>(p.features[1]).levels = {"red", "red"};
                    }),
            "column 'colour' has the level 'red' twice | give each level a name of its own");
  EXPECT_EQ(refused(given(), [](auto& p) { p.counts = {1}; }),
            "1 count for 2 classes | give one each, or none");
  EXPECT_EQ(error_of([] { LinearModel m({}, Prior({1}), given()); }),
            "a model needs at least one class | give classes with their coefficients");
  EXPECT_EQ(error_of([] {
              LinearModel m({"k", "l"}, Prior({1}), given());
            }),
            "2 classes, but the prior has 1" + hint);
}

TEST(LinearModel, RefusesWhatComplementCannotWeigh) {
  const auto said = [](auto change) {
    ComplementParameters p = complement_of_counts();
    change(p);
    return error_of([&] { (void)model_of(p); });
  };
  EXPECT_EQ(said([](auto& p) { p.probabilities(0, 0) = 0; }),
            "the block of counts has the probability 0, which complement cannot weigh | give "
            "probabilities greater than 0");
  EXPECT_EQ(said([](auto& p) { p.probabilities(0, 0) = 1.5; }),
            "the block of counts has the probability 1.5 | a probability is a number from 0 to 1");
  EXPECT_EQ(said([](auto& p) {
              p.features = NumberFeatures{.columns = {"a", "b"}};
            }),
            "complement is given features that are not counts | give columns of counts, or the "
            "terms of a text");
  EXPECT_EQ(said([](auto& p) { p.features = TermFeatures{.column = "t"}; }),
            "a block of counts needs a term | give at least one");
  EXPECT_EQ(said([](auto& p) { p.lengths = {1}; }),
            "1 count for 2 classes | give one each, or none");
  EXPECT_EQ(said([](auto& p) {
              p.features = TermFeatures{.column = "t", .terms = {"u", "u"}};
            }),
            "the text column 't' has the level 'u' twice | give each level a name of its own");
}

TEST(ClassifierRef, IsNoCopy) {
  const Model model = fit(testing::random_table(20, 2, 2, 1), lda()).model;
  const LinearModel linear = model_of(given());
  EXPECT_EQ(ClassifierRef(model).model(), &model);
  EXPECT_EQ(ClassifierRef(model).linear(), nullptr);
  EXPECT_EQ(ClassifierRef(linear).linear(), &linear);
  EXPECT_EQ(ClassifierRef(linear).model(), nullptr);
  const Classifier either = linear;
  const ClassifierRef ref = either;
  EXPECT_EQ(ref.linear(), std::get_if<LinearModel>(&either));
  EXPECT_EQ(&ref.classes(), &ref.linear()->classes());
  EXPECT_EQ(&ref.prior(), &ref.linear()->prior());
  EXPECT_EQ(ref.target(), "class");
  EXPECT_EQ(ref.copy(), either);
}

template <class M>
concept HasDensity = requires(const M& model, const Rows& rows, const Table& table) {
  log_joint(model, rows);
  log_density(model, rows);
  mahalanobis(model, rows);
  sample(model, 1, Rng(1));
  impute(model, table);
  estimate_priors(model, Matrix());
  OutlierTail(model);
  model.with_prior(model.prior());
};
template <class M>
concept Sampled = requires(const M& model) {
  sample(model, 1, Rng(1));
};
template <class M>
concept Scored = requires(const M& model, const Rows& rows) {
  log_joint(model, rows);
};
template <class M>
concept Imputed = requires(const M& model, const Table& table) {
  impute(model, table);
};
template <class M>
concept Shifted = requires(const M& model) {
  estimate_priors(model, Matrix());
};
template <class M>
concept Tailed = std::is_constructible_v<OutlierTail, const M&>;

static_assert(HasDensity<Model>);
static_assert(!Sampled<LinearModel> && !Sampled<Classifier>, "a scorer cannot be drawn from");
static_assert(!Scored<LinearModel> && !Imputed<LinearModel> && !Shifted<LinearModel> &&
              !Tailed<LinearModel>);

}  // namespace
}  // namespace genera::linear_model_test
