#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <genera/genera.hpp>

#include "support/problems.hpp"

namespace genera::decisions_test {
namespace {

using testing::error_of;

const std::vector<std::string> three{"a", "b", "c"};

/// n rows of K probabilities, some of them 0.
Matrix random_posteriors(Index n, Index classes, std::uint64_t seed) {
  Rng rng(seed);
  Matrix p(n, classes);
  for (Index i = 0; i < n; ++i) {
    double sum = 0;
    for (double& value : p.row(i)) {
      const double u = rng.uniform();
      value = u < 0.2 ? 0 : std::pow(u, 3);
      sum += value;
    }
    if (sum == 0) sum = p(i, 0) = 1;
    for (double& value : p.row(i)) value /= sum;
  }
  return p;
}

Costs random_costs(const std::vector<std::string>& classes, std::uint64_t seed) {
  Rng rng(seed);
  const auto count = static_cast<Index>(classes.size());
  Matrix values(count, count);
  for (Index k = 0; k < count; ++k)
    for (double& value : values.row(k)) value = 4 * rng.uniform() - 1;
  return {classes, std::move(values)};
}

double expected_cost(const Matrix& p, Index row, const Costs& costs, Index decision) {
  double sum = 0;
  for (Index k = 0; k < p.columns(); ++k) sum += p(row, k) * costs(k, decision);
  return sum;
}

RC_GTEST_PROP(Decide, NoDecisionIsCheaper, (std::uint8_t seed)) {
  const Matrix p = random_posteriors(20, 3, seed);
  const Costs costs = random_costs(three, seed + 1000U);
  const auto labels = decide(p, {.costs = costs});
  for (Index i = 0; i < p.rows(); ++i)
    for (Index a = 0; a < 3; ++a)
      RC_ASSERT(expected_cost(p, i, costs, labels[static_cast<std::size_t>(i)]) <=
                expected_cost(p, i, costs, a) + 1e-15);
}

RC_GTEST_PROP(Decide, CostsOfTheTruthAndUnitsDoNotMatter, (std::uint8_t seed)) {
  const Matrix p = random_posteriors(20, 3, seed);
  const Costs costs = random_costs(three, seed + 1000U);
  Matrix other(3, 3);  // 8 c(k, a) + k: exact, and k is the same whatever is decided
  for (Index k = 0; k < 3; ++k)
    for (Index a = 0; a < 3; ++a) other(k, a) = 8 * costs(k, a) + static_cast<double>(k);
  RC_ASSERT(decide(p, {.costs = costs}) == decide(p, {.costs = Costs(three, other)}));
}

TEST(Decide, EveryErrorAtOneIsTheMostProbableClass) {
  const Matrix p = random_posteriors(200, 3, 4);
  const Costs costs(three, {3, 3, {0, 1, 1, 1, 0, 1, 1, 1, 0}});
  EXPECT_EQ(decide(p, {.costs = costs}), decide(p, DecisionRule{}));
}

TEST(Decide, TiesGoToTheFirst) {
  const Matrix p(2, 2, {0.5, 0.5, 0.25, 0.75});
  EXPECT_EQ(decide(p, DecisionRule{}), (std::vector<std::int32_t>{0, 1}));
  const Costs costs({"a", "b"}, {2, 2, {0, 3, 1, 0}});
  EXPECT_EQ(decide(p, {.costs = costs}), (std::vector<std::int32_t>{0, 0}));
  const Costs nothing({"a", "b"}, Matrix(2, 2));
  EXPECT_EQ(decide(p, {.costs = nothing}), (std::vector<std::int32_t>{0, 0}));
}

TEST(Decide, RejectsWhereTheLargestPosteriorIsBelow) {
  const Matrix p(3, 2, {0.5, 0.5, 0.25, 0.75, 1, 0});
  EXPECT_EQ(decide(p, {.reject = 0.75}), (std::vector<std::int32_t>{-1, 1, 0}));
  EXPECT_EQ(decide(p, {.reject = 0}), (std::vector<std::int32_t>{0, 1, 0}));
  EXPECT_EQ(decide(p, {.reject = 1}), (std::vector<std::int32_t>{-1, -1, 0}));
  const Costs costs({"a", "b"}, {2, 2, {0, 9, 1, 0}});
  EXPECT_EQ(decide(p, {.costs = costs, .reject = 0.7}), (std::vector<std::int32_t>{-1, 0, 0}));
}

TEST(Decide, OfAnswersIsTheModelsPredictionWithoutCosts) {
  const Table table = testing::random_table(300, 3, 3, 5);
  const Model model = fit(table, qda()).model;
  const Answers said = answers(model, table);
  EXPECT_EQ(decide(said, DecisionRule{}), predict(model, table));
  const DecisionRule rule{.costs = random_costs(model.classes(), 6), .reject = 0.6};
  EXPECT_EQ(decide(said, rule), decide(posterior(model, table), rule));
}

TEST(Decide, NeedsTheAnswersThatItRestsOn) {
  Answers answers;
  answers.labels = {0, 1};
  EXPECT_EQ(decide(answers, {}), answers.labels);
  const std::string expected =
      "the answers do not hold a posterior for each label | ask for posteriors and labels, of the "
      "same rows";
  EXPECT_EQ(error_of([&] { (void)decide(answers, {.costs = {}, .reject = 0.5}); }), expected);
  answers.posterior = Matrix(1, 2, {0.5, 0.5});
  EXPECT_EQ(error_of([&] { (void)decide(answers, {.costs = {}, .reject = 0.5}); }), expected);
}

TEST(Costs, MustBeWholeAndFinite) {
  EXPECT_EQ(
      error_of([] { (void)Costs(three, Matrix(3, 2)); }),
      "the costs of 3 classes are a 3 x 2 matrix | give a row for each truth and a column for "
      "each decision");
  EXPECT_EQ(error_of([] {
              (void)Costs({"a", "b"}, {2, 2, {0, 1, HUGE_VAL, 0}});
            }),
            "the cost of deciding 'a' where 'b' is true is inf | costs are finite numbers");
  EXPECT_EQ(error_of([] { validate({.reject = 1.5}, three); }),
            "reject is 1.5, expected a probability | give a number in [0, 1]");
  EXPECT_EQ(error_of([] {
              validate({.costs = Costs({"b", "a"}, Matrix(2, 2))}, {"a", "b"});
            }),
            "the costs are those of other classes, or in another order | bring them into the order "
            "of the model with costs_for");
  EXPECT_EQ(error_of([] { (void)decide(Matrix(1, 3), {.costs = Costs({"a"}, Matrix(1, 1))}); }),
            "there are costs of 1 class, but posteriors of 3 | give the costs of the model's "
            "classes");
}

TEST(CostTable, IsBroughtIntoTheOrderOfTheClasses) {
  const CostTable table{.truths = {"3", "1.0", "2"},
                        .decisions = {"2", "3", "1"},
                        .values = {3, 3, {32, 33, 31, 12, 13, 11, 22, 23, 21}}};
  EXPECT_EQ(costs_for({"1", "2", "3"}, table),
            Costs({"1", "2", "3"}, {3, 3, {11, 12, 13, 21, 22, 23, 31, 32, 33}}));
}

TEST(CostTable, NamesEveryClassOnce) {
  const auto refusal = [](std::vector<std::string> truths, std::vector<std::string> decisions) {
    return error_of([&] {
      (void)costs_for({"ham", "spam"}, {.truths = truths, .decisions = decisions});
    });
  };
  const std::string each = " | give every class of the model one row and one column";
  EXPECT_EQ(refusal({"ham", "spam"}, {"ham", "spm"}),
            "costs, column 2: 'spm' is not a class of the model | did you mean 'spam' or 'ham'?");
  EXPECT_EQ(refusal({"zebra", "spam"}, {"ham", "spam"}),
            "costs, row 1: 'zebra' is not a class of the model | its classes are 'ham', 'spam'");
  EXPECT_EQ(refusal({"ham", "ham"}, {"ham", "spam"}),
            "costs, row 2: class 'ham' has a row of costs already" + each);
  EXPECT_EQ(refusal({}, {"ham", "spam"}),
            "costs: there is no row of costs for 'ham', 'spam'" + each);
  EXPECT_EQ(refusal({"ham", "spam"}, {"spam"}),
            "costs: there is no column of costs for 'ham'" + each);
}

Costs costs_of_text(const std::string& text, const std::vector<std::string>& classes) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("genera_costs_" + std::to_string(::getpid()) + ".csv");
  std::ofstream(path) << text;
  const auto costs = [&] {
    try {
      return read_costs(path.string(), classes);
    } catch (const Error& e) {
      std::filesystem::remove(path);
      std::string what = e.what();  // without the folder
      throw Error(e.code(), what.replace(0, path.string().size(), "costs.csv"), e.hint());
    }
  }();
  std::filesystem::remove(path);
  return costs;
}

TEST(CostFile, HasNamesInAnyOrderAndQuotes) {
  const std::vector<std::string> classes{"a, b", "c"};
  const Costs wanted(classes, {2, 2, {-1, 2.5, 4, 0}});
  EXPECT_EQ(costs_of_text("truth,\"a, b\",c\n\"a, b\",-1,2.5\nc,4,0\n", classes), wanted);
  EXPECT_EQ(costs_of_text(",c,\"a, b\"\r\nc,0,+4\r\n\"a, b\",2.5,-1\r\n", classes), wanted);
  EXPECT_EQ(costs_of_text("truth;a, b;c\na, b;-1;2,5\nc;4;0\n", classes), wanted);
}

TEST(CostFile, SaysWhereItIsWrong) {
  const auto refusal = [](const std::string& text) {
    return error_of([&] { (void)costs_of_text(text, {"ham", "spam"}); });
  };
  const std::string number = " | write a number such as 2.5; a negative one is a gain";
  EXPECT_EQ(
      refusal(",ham,spam\nham,0,1\nspam,x,0\n"),
      "costs.csv:3: the cost of deciding 'ham' is 'x', which is not a finite number" + number);
  EXPECT_EQ(
      refusal(",ham,spam\nham,0,1\nspam,inf,0\n"),
      "costs.csv:3: the cost of deciding 'ham' is 'inf', which is not a finite number" + number);
  EXPECT_EQ(refusal(",ham,spam\nham,0,\nspam,1,0\n"),
            "costs.csv:2: the cost of deciding 'spam' is missing" + number);
  EXPECT_EQ(
      refusal(";ham;spam\nham;0;1,000\nspam;1;0\n"),
      "costs.csv:2: the cost of deciding 'spam' is '1,000', which is not a finite number" + number);
  EXPECT_EQ(refusal(",ham,\nham,0,1\nspam,1,0\n"),
            "costs.csv:1: the decision of column 3 is empty | name a class of the model there");
  EXPECT_EQ(refusal(",ham,spam\n,0,1\nspam,1,0\n"),
            "costs.csv:2: the truth in column 1 is empty | name a class of the model there");
  EXPECT_EQ(refusal(",ham,spam\nham,0,1\n\"sp\nam\",0,1\n"),
            "costs.csv:3: 'sp\nam' is not a class of the model | did you mean 'spam'?");
  EXPECT_EQ(
      refusal(",ham,spam\nham,0,1\n"),
      "costs.csv: there is no row of costs for 'spam' | give every class of the model one row "
      "and one column");
  EXPECT_EQ(error_of([] { (void)read_costs("/no/such/costs.csv", three); }).substr(0, 19),
            "/no/such/costs.csv:");
}

TEST(Decide, ReviewWhereItCostsLess) {
  const Matrix p(3, 2, {0.5, 0.5, 0.9, 0.1, 0.7, 0.3});
  const Costs costs({"a", "b"}, {2, 2, {0, 1, 1, 0}}, {0.3, 0.3});
  EXPECT_EQ(decide(p, {.costs = costs}), (std::vector<std::int32_t>{-1, 0, 0}));  // ties: a class
  EXPECT_EQ(decide(p, {.costs = costs.without_review()}), (std::vector<std::int32_t>{0, 0, 0}));
  EXPECT_EQ(error_of([&] {
              (void)Costs({"a", "b"}, Matrix(2, 2, 0.0), {1});
            }),
            "1 price of review is given for 2 classes, or one is not finite | give one finite "
            "number for each truth");
}

TEST(CostTable, MayHaveAColumnOfReview) {
  const CostTable table{.truths = {"b", "a"},
                        .decisions = {"review", "a", "b"},
                        .values = Matrix(2, 3, {0.2, 5, 0, 0.1, 0, 1})};
  const Costs costs = costs_for({"a", "b"}, table);
  ASSERT_TRUE(costs.offers_review());
  EXPECT_EQ(costs.review(0), 0.1);
  EXPECT_EQ(costs.review(1), 0.2);
  EXPECT_EQ(costs(1, 0), 5);
  EXPECT_EQ(costs(0, 1), 1);
  // A class of that name is a class.
  const CostTable classes{.truths = {"a", "review"},
                          .decisions = {"a", "review"},
                          .values = Matrix(2, 2, {0, 1, 2, 0})};
  EXPECT_FALSE(costs_for({"a", "review"}, classes).offers_review());
}

}  // namespace
}  // namespace genera::decisions_test
