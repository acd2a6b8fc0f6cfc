#include <cmath>

#include <gtest/gtest.h>

#include <genera/evaluate.hpp>
#include <genera/fit.hpp>

#include "support/problems.hpp"

namespace genera::evaluation_test {
namespace {

using testing::error_of;

/// Two unit normals at -1 and 1: log odds 2 x.
Model two_normals() {
  const GaussianBlock block({.structure = Covariance::tied,
                             .columns = {"x"},
                             .means = Matrix(2, 1, {-1, 1}),
                             .covariances = {Matrix(1, 1, {1})}});
  return {{"l", "r"}, Prior::uniform(2), {block}, "side"};
}

TEST(Evaluation, IsWhatCanBeCountedByHand) {
  const Table table = make_table({"x"}, Matrix(4, 1, {-1, 1, 2, -0.5}), {"l", "r", "l", "r"});
  const Evaluation e = evaluate(two_normals(), table);
  EXPECT_EQ(e.rows(), 4);
  EXPECT_EQ(e.errors(), 2);
  EXPECT_EQ(e.accuracy(), 0.5);
  EXPECT_EQ(e.confusion(0, 0), 1);
  EXPECT_EQ(e.confusion(0, 1), 1);
  EXPECT_EQ(e.confusion(1, 0), 1);
  EXPECT_EQ(e.confusion(1, 1), 1);
  const auto loss = [](double margin) { return std::log1p(std::exp(-margin)); };
  EXPECT_NEAR(e.log_loss(), (loss(2) + loss(2) + loss(-4) + loss(-1)) / 4, 1e-13);
  const auto brier = [](double margin) { return 2 * std::pow(1 / (1 + std::exp(margin)), 2); };
  EXPECT_NEAR(e.brier(), (brier(2) + brier(2) + brier(-4) + brier(-1)) / 4, 1e-13);
  const auto joint = [](double z) {
    return std::log(0.5) - 0.5 * std::log(2 * M_PI) - 0.5 * z * z;
  };
  EXPECT_NEAR(e.log_likelihood(), joint(0) + joint(0) + joint(3) + joint(1.5), 1e-13);
  EXPECT_EQ(e.scores(0).support, 2);
  EXPECT_EQ(e.scores(0).precision, 0.5);
  EXPECT_EQ(e.scores(1).f1, 0.5);
}

TEST(Evaluation, OfSomeRowsIsThatOfATableOfThem) {
  const std::vector<float> numbers{-1, 1, 2, -0.5F};
  const std::vector<int> labels{0, 1, 0, 1};
  const std::vector<std::string> classes{"l", "r"};
  const Rows all = labelled_rows(MatrixView(numbers.data(), 4, 1, {1, 1}), labels,
                                 {.names = {"x"}, .classes = classes});
  const std::vector<Index> some{2, 1};
  const Evaluation e = evaluate(two_normals(), all.only(some));
  const Table table = make_table({"x"}, Matrix(2, 1, {2, 1}), {"l", "r"});
  EXPECT_EQ(e.rows(), 2);
  EXPECT_EQ(e.confusion(0, 1), 1);
  EXPECT_EQ(e.confusion(1, 1), 1);
  EXPECT_EQ(e.log_loss(), evaluate(two_normals(), table).log_loss());
  const std::vector<int> missing{0, 1, -1, 1};
  const Rows unlabelled = labelled_rows(MatrixView(numbers.data(), 4, 1, {1, 1}), missing,
                                        {.names = {"x"}, .classes = classes});
  EXPECT_EQ(evaluate(two_normals(), unlabelled.only(some)).left_out().missing, 1);
  EXPECT_EQ(error_of([&] {
              (void)evaluate(two_normals(), unlabelled.only(some), {}, {}, OtherLabels::refuse);
            }),
            "row 3: the label is missing | give every row its true class, or leave the row out");
}

TEST(Evaluation, OfPosteriorsIsThatOfTheModelThatGaveThem) {
  const Table table = testing::random_table(60, 2, 3, 4);
  const Model model = fit(table, lda()).model;
  const Evaluation expected = evaluate(model, table, {.costs = {}, .reject = 0.6});
  Evaluation found(model.classes(), {.costs = {}, .reject = 0.6});
  found.add(posterior(model, table), Rows(table));
  EXPECT_NEAR(found.log_loss(), expected.log_loss(), 1e-12);
  EXPECT_EQ(found.brier(), expected.brier());
  EXPECT_EQ(found.rejected(), expected.rejected());
  EXPECT_EQ(found.expected_calibration_error(), expected.expected_calibration_error());
  for (Index k = 0; k < 3; ++k) {
    for (Index l = 0; l < 3; ++l) EXPECT_EQ(found.confusion(k, l), expected.confusion(k, l));
  }
  EXPECT_TRUE(std::isnan(found.log_likelihood()));
}

TEST(Evaluation, RefusesPosteriorsThatAreNone) {
  const Table table = make_table({"x"}, Matrix(2, 1, {-1, 1}), {"l", "r"});
  Evaluation found({"l", "r"});
  EXPECT_EQ(
      error_of([&] {
        found.add(Matrix(2, 2, {0.5, 0.5, 0.75, 0.5}), Rows(table));
      }),
      "the posteriors of row 2 are not probabilities with the sum 1: their sum is 1.25 | give "
      "the probabilities of all classes");
  EXPECT_EQ(error_of([&] {
              found.add(Matrix(2, 2, {2, -1, 0.5, 0.5}), Rows(table));
            }),
            "the posteriors of row 1 are not probabilities with the sum 1: their sum is 1 | give "
            "the probabilities of all classes");
  EXPECT_EQ(error_of([&] {
              found.add(Matrix(1, 2, {0.5, 0.5}), Rows(table));
            }),
            "the posteriors are 1 x 2, but there are 2 rows and 2 classes | give a row of "
            "posteriors for each row, with a column for each class");
}

TEST(Evaluation, JudgesDecisionsUnderCosts) {
  const Table table = make_table({"x"}, Matrix(4, 1, {-1, 1, 2, -0.5}), {"l", "r", "l", "r"});
  // To decide l where r is true costs 10: only log odds below -log 10 are l. A right r gains 1.
  const Costs costs({"l", "r"}, {2, 2, {0, 1, 10, -1}});
  const Evaluation e = evaluate(two_normals(), table, {.costs = costs, .reject = 0.8});
  EXPECT_EQ(e.confusion(0, 0), 0);
  EXPECT_EQ(e.confusion(0, 1), 2);
  EXPECT_EQ(e.confusion(1, 1), 2);
  EXPECT_EQ(e.errors(), 2);
  EXPECT_EQ(e.risk(), (1 - 1 + 1 - 1) / 4.0);
  EXPECT_EQ(e.rejected(), 1);  // 1 / (1 + e) < 0.8 < 1 / (1 + e^-2)
  EXPECT_EQ(e.coverage(), 0.75);
  EXPECT_EQ(e.selective_risk(), (1 - 1 + 1) / 3.0);
  EXPECT_EQ(e.log_loss(), evaluate(two_normals(), table).log_loss());
}

TEST(Evaluation, WithoutCostsRiskIsTheErrorRate) {
  const Table table = testing::random_table(500, 3, 3, 4);
  const Model model = fit(table, lda()).model;
  const Evaluation all = evaluate(model, table), some = evaluate(model, table, {.reject = 0.9});
  EXPECT_EQ(all.risk(), all.error_rate());
  EXPECT_EQ(all.coverage(), 1);
  EXPECT_EQ(all.selective_risk(), all.risk());
  EXPECT_EQ(some.errors(), all.errors());
  EXPECT_LT(*some.selective_risk(), all.risk());
  const Table middle = make_table({"x"}, Matrix(1, 1, {0}), {"l"});
  const Evaluation none = evaluate(two_normals(), middle, {.reject = 0.9});
  EXPECT_EQ(none.selective_risk(), std::nullopt);
  EXPECT_EQ(none.coverage(), 0);
}

TEST(Evaluation, LossesStayInTheLogDomain) {
  const Table table = make_table({"x"}, Matrix(1, 1, {-1000}), {"r"});
  EXPECT_NEAR(evaluate(two_normals(), table).log_loss(), 2000, 1e-9);
}

TEST(Evaluation, LabelsThatAreTheSameNumberMatch) {
  GaussianParameters p{.structure = Covariance::tied,
                       .columns = {"x"},
                       .means = Matrix(2, 1, {-1, 1}),
                       .covariances = {Matrix(1, 1, {1})}};
  const Model model({"0", "1"}, Prior::uniform(2), {GaussianBlock(p)});
  EXPECT_EQ(evaluate(model, make_table({"x"}, Matrix(2, 1, {-3, 3}), {"0.0", "1.0"})).errors(), 0);
}

TEST(Evaluation, LeavesOutLabelsItCannotJudge) {
  const Model model = two_normals();
  Table table = make_table({"x"}, Matrix(6, 1, {-3, 0, 3, 0, 3, std::nan("")}),
                           {"l", "q", "r", "l", "l", "zz"});
  table.labels[3] = -1;
  const Evaluation e = evaluate(model, table);
  EXPECT_EQ(e.rows(), 3);
  EXPECT_EQ(e.errors(), 1);
  EXPECT_EQ(e.missing(), MissingCells{});  // of the rows that were judged
  EXPECT_EQ(e.left_out().rows(), 3);
  EXPECT_EQ(e.left_out().missing, 1);
  EXPECT_EQ(e.left_out().unknown, 2);
  EXPECT_EQ(e.left_out().labels, (std::map<std::string, Index>{{"q", 1}, {"zz", 1}}));
  const Evaluation same =
      evaluate(model, make_table({"x"}, Matrix(3, 1, {-3, 3, 3}), {"l", "r", "l"}));
  EXPECT_EQ(e.log_loss(), same.log_loss());
  EXPECT_EQ(e.brier(), same.brier());
  EXPECT_EQ(e.log_likelihood(), same.log_likelihood());
  Evaluation twice = e;
  twice.merge(e);
  EXPECT_EQ(twice.left_out().rows(), 6);
  EXPECT_EQ(twice.left_out().labels.at("q"), 2);
}

TEST(Evaluation, KeepsTheFirstOfManyLabels) {
  std::vector<std::string> labels{"l"};
  for (int i = 0; i < 500; ++i) labels.push_back("other " + std::to_string(i));
  const Evaluation e = evaluate(two_normals(), make_table({"x"}, Matrix(501, 1, 0.0), labels));
  EXPECT_EQ(e.left_out().unknown, 500);
  EXPECT_EQ(e.left_out().labels.size(), 100U);
}

TEST(Evaluation, RefusesLabelsItCannotJudgeIfAsked) {
  const Model model = two_normals();
  const auto strict = [&](const Table& table) {
    return error_of([&] { (void)evaluate(model, table, {}, {}, OtherLabels::refuse); });
  };
  EXPECT_EQ(strict(make_table({"x"}, Matrix(1, 1, {0}), {"q"})),
            "row 1: 'q' is not a class of the model | its classes are 'l', 'r'");
  Table missing = make_table({"x"}, Matrix(1, 1, {0}), {"l"});
  missing.labels[0] = -1;
  EXPECT_NE(strict(missing).find("row 1: the label is missing"), std::string::npos);
  EXPECT_EQ(error_of([&] { (void)evaluate(model, missing); }),
            "the only row has no label | name the column that holds the truth with target");
  EXPECT_EQ(error_of([&] { (void)evaluate(model, make_table({"x"}, Matrix(1, 1, {0}), {"q"})); }),
            "the label of the only row, 'q', is not a class of the model | its classes are "
            "'l', 'r'");
  EXPECT_NE(error_of([&] {
              (void)evaluate(model, make_table({"x"}, Matrix(1, 1, {0})));
            }).find("the table has no label column 'side'"),
            std::string::npos);
}

TEST(Evaluation, OfOtherClassesIsRefused) {
  Evaluation e(std::vector<std::string>{"a", "b"});
  EXPECT_NE(error_of([&] {
              e.merge(Evaluation({"a", "c"}));
            }).find("evaluations of different classes"),
            std::string::npos);
  EXPECT_EQ(
      error_of([&] {
        e.merge(Evaluation({"a", "b"}, {.reject = 0.5}));
      }),
      "evaluations of different decisions cannot be added up | add evaluations under the same "
      "costs and the same rejection");
}

TEST(AdjustedRandIndex, IsThatOfTheLiterature) {
  EXPECT_EQ(adjusted_rand_index(Matrix(2, 2, {0, 5, 7, 0})), 1);
  EXPECT_EQ(adjusted_rand_index(Matrix(1, 1, {9})), 1);
  EXPECT_EQ(adjusted_rand_index(Matrix(2, 1, {3, 3})), 0);
  // Hubert and Arabie (1985), table 2, as in many textbooks: [[1, 1, 0], [1, 2, 1], [0, 0, 4]].
  EXPECT_NEAR(adjusted_rand_index(Matrix(3, 3, {1, 1, 0, 1, 2, 1, 0, 0, 4})), 0.31257, 1e-4);
}

TEST(Evaluation, OfPartsAddsUp) {
  const Table table = testing::random_table(500, 3, 3, 4);
  const Model model = fit(table, lda()).model;
  const DecisionRule rule{.costs = {}, .reject = 0.7};
  Evaluation sum = evaluate(model, testing::rows_of(table, testing::range(0, 123)), rule);
  sum.merge(evaluate(model, testing::rows_of(table, testing::range(123, 500)), rule));
  const Evaluation whole = evaluate(model, table, rule);
  EXPECT_EQ(sum.rejected(), whole.rejected());
  EXPECT_EQ(sum.risk(), whole.risk());
  EXPECT_EQ(sum.selective_risk(), whole.selective_risk());
  EXPECT_EQ(sum.errors(), whole.errors());
  EXPECT_NEAR(sum.log_loss(), whole.log_loss(), 1e-12);
  EXPECT_NEAR(sum.log_likelihood(), whole.log_likelihood(), 1e-9);
}

// Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
TEST(WilsonInterval, IsThatOfNewcombesExamples) {
  struct Example {
    double right, rows, low, high;
  };
  for (const auto& [right, rows, low, high] :
       {Example{81, 263, 0.2553, 0.3662}, Example{15, 148, 0.0624, 0.1605},
        Example{0, 20, 0, 0.1611}, Example{1, 29, 0.0061, 0.1718}}) {
    const Interval found = wilson_interval(right / rows, rows);
    EXPECT_NEAR(found.low, low, 5e-5);
    EXPECT_NEAR(found.high, high, 5e-5);
  }
  EXPECT_EQ(wilson_interval(0, 0).high, 1);
  EXPECT_EQ(error_of([] { (void)wilson_interval(0.5, 10, 1); }),
            "the level is 1, expected a probability | give a number between 0 and 1, such as 0.95");
}

TEST(Evaluation, ComparesWithChanceAndWithTheLargestClass) {
  const Table table =
      make_table({"x"}, Matrix(6, 1, {-1, -2, -3, 1, 2, -0.5}), {"l", "l", "l", "l", "r", "r"});
  const Evaluation e = evaluate(two_normals(), table);
  EXPECT_EQ(e.accuracy(), 4 / 6.0);
  EXPECT_EQ(e.balanced_accuracy(), (3 / 4.0 + 1 / 2.0) / 2);
  EXPECT_EQ(e.baseline().prediction, 0);
  EXPECT_EQ(e.baseline().accuracy, 4 / 6.0);
  EXPECT_EQ(e.accuracy_interval().low, wilson_interval(4 / 6.0, 6).low);
  const Table one = make_table({"x"}, Matrix(1, 1, {-1}), {"l"});
  EXPECT_EQ(evaluate(two_normals(), one).balanced_accuracy(), 1);  // of the classes that are there
}

TEST(Evaluation, AWeightIsAsManyRows) {
  Table weighted = make_table({"x"}, Matrix(4, 1, {-1, 1, 2, -0.5}), {"l", "r", "l", "r"});
  weighted.weights = {3, 1, 2, 0};
  const Table repeated =
      make_table({"x"}, Matrix(6, 1, {-1, -1, -1, 1, 2, 2}), {"l", "l", "l", "r", "l", "l"});
  const DecisionRule rule{.costs = Costs({"l", "r"}, {2, 2, {0, 2, 5, 0}}), .reject = 0.9};
  const Evaluation e = evaluate(two_normals(), weighted, rule);
  const Evaluation same = evaluate(two_normals(), repeated, rule);
  EXPECT_EQ(e.rows(), 4);
  EXPECT_EQ(e.weight(), 6);
  EXPECT_TRUE(e.weighted());
  EXPECT_FALSE(same.weighted());
  EXPECT_EQ(e.errors(), 2);
  for (const auto figure :
       {&Evaluation::accuracy, &Evaluation::error_rate, &Evaluation::log_loss, &Evaluation::brier,
        &Evaluation::log_likelihood, &Evaluation::risk, &Evaluation::coverage,
        &Evaluation::balanced_accuracy, &Evaluation::expected_calibration_error})
    EXPECT_NEAR((e.*figure)(), (same.*figure)(), 1e-13);
  EXPECT_NEAR(*e.selective_risk(), *same.selective_risk(), 1e-15);
  EXPECT_NEAR(*e.area_under_roc(), *same.area_under_roc(), 1e-15);
  EXPECT_NEAR(*e.average_precision(), *same.average_precision(), 1e-15);
  EXPECT_EQ(e.confusion_weight(0, 1), 2);
  EXPECT_EQ(e.scores(0).weight, 5);
  EXPECT_EQ(e.scores(0).recall, same.scores(0).recall);
  // Rows of unequal weight say less: (3 + 1 + 2)^2 / (9 + 1 + 4) of them.
  EXPECT_EQ(e.accuracy_interval().low, wilson_interval(e.accuracy(), 36 / 14.0).low);
}

TEST(Evaluation, RefusesWeightsThatAreNone) {
  Table table = make_table({"x"}, Matrix(3, 1, {-1, 1, 2}), {"l", "r", "l"});
  for (const double weight : {-1.0, HUGE_VAL, std::nan("")}) {
    table.weights = {1, weight, 1};
    const std::string said = error_of([&] { (void)evaluate(two_normals(), table); });
    EXPECT_TRUE(said.starts_with("row 2: the weight is ")) << said;
    EXPECT_TRUE(said.ends_with(" | weights must be finite numbers of at least 0")) << said;
  }
}

TEST(Evaluation, ReviewIsADecisionWithAPrice) {
  const Table table = make_table({"x"}, Matrix(4, 1, {-1, 1, 2, -0.1}), {"l", "r", "l", "r"});
  // Posteriors of the other class: 0.119, 0.119, 0.018, 0.450; review is worth 0.2 of an error.
  const Costs costs({"l", "r"}, {2, 2, {0, 1, 1, 0}}, {0.2, 0.3});
  const Evaluation e = evaluate(two_normals(), table, {.costs = costs, .reject = {}});
  EXPECT_EQ(e.rejected(), 1);
  EXPECT_EQ(e.risk(), (0 + 0 + 1 + 0.3) / 4);
  EXPECT_EQ(e.coverage(), 0.75);
  EXPECT_EQ(e.selective_risk(), 1 / 3.0);
  EXPECT_EQ(e.errors(), 2);  // what would have been decided
}

}  // namespace
}  // namespace genera::evaluation_test
