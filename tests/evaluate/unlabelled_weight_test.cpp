#include <cmath>

#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "data/join_tables.hpp"
#include "support/discrete_tables.hpp"
#include "support/problems.hpp"
#include "support/simulations.hpp"

namespace genera::unlabelled_weight_test {
namespace {

Table without_labels(Table table, std::size_t every) {
  for (std::size_t i = 0; i < table.labels.size(); ++i)
    if (i % every != 0) table.labels[i] = -1;
  return table;
}

double loss(const Classifier& model, const Table& table) {
  return evaluate(ClassifierRef(model), table).log_loss();
}

/// Rows whose clusters are not their classes: EM finds the clusters.
Table misleading(Index n, std::uint64_t seed) {
  Table table = testing::random_table(n, 2, 2, seed);
  Rng rng(seed + 100);
  for (Index i = 0; i < n; ++i) {
    const bool second = table.labels[static_cast<std::size_t>(i)] == 1;
    const double side = rng.uniform() < (second ? 0.35 : 0.65) ? -6 : 6;
    table.numbers(i, 0) = side + rng.normal();
    table.numbers(i, 1) = table.labels[static_cast<std::size_t>(i)] + 0.7 * rng.normal();
  }
  return table;
}

// The law of the default: never worse on other rows than without the unlabelled ones by more than
// 5 % and 0.01, whatever the table.
TEST(UnlabelledWeight, DefaultIsNeverMuchWorseThanLabelledRowsAlone) {
  for (std::uint64_t seed = 1; seed <= testing::simulations(20); ++seed) {
    const bool mislead = seed % 2 == 0;
    const auto make = [&](std::uint64_t which) {
      return mislead ? misleading(400, which) : testing::random_table(400, 3, 3, which);
    };
    const Table train = without_labels(make(seed), 10), fresh = make(seed + 1000);
    for (const Recipe& recipe : {qda(), gaussian_naive_bayes()}) {
      const double with = loss(fit_weighing_unlabelled(train, recipe).model, fresh),
                   alone = loss(fit(train, AnyRecipe(recipe)).model, fresh);
      EXPECT_LE(with, 1.05 * alone + 0.01) << "seed " << seed;
    }
    const AutoFit chosen = fit_auto(train),
                  labelled = fit_auto(train, {.fit = {.unlabelled_weight = 0}});
    EXPECT_LE(loss(chosen.fitted.model, fresh), 1.05 * loss(labelled.fitted.model, fresh) + 0.01);
  }
}

TEST(UnlabelledWeight, IsZeroWhereClustersAreNotClasses) {
  const UnlabelledWeight found =
      choose_unlabelled_weight(without_labels(misleading(600, 3), 6), qda());
  EXPECT_EQ(found.weight, 0);
  ASSERT_EQ(found.trials.size(), 3U);
  EXPECT_EQ(found.rows, 100);
  EXPECT_GT(found.trials[2].log_loss, found.trials[0].log_loss);
}

// 200 rows of a class tell little of a covariance of 20 columns; 3,000 do.
TEST(UnlabelledWeight, IsPositiveWhereItClearlyHelps) {
  Table table = testing::random_table(6000, 20, 2, 3);
  Rng rng(4);
  for (Index i = 0; i < table.rows(); ++i) {
    const double shift = table.labels[static_cast<std::size_t>(i)] == 1 ? 0.9 : 0;
    for (Index j = 0; j < 20; ++j) table.numbers(i, j) = rng.normal() + (j % 3 == 0 ? shift : 0);
  }
  const Table train = without_labels(table, 15);
  const UnlabelledWeight found = choose_unlabelled_weight(train, qda());
  EXPECT_GT(found.weight, 0);
  const Fitted<Classifier> fitted = fit_weighing_unlabelled(train, qda());
  EXPECT_EQ(fitted.report.unlabelled_weight, found.weight);
  EXPECT_EQ(fitted.report.unlabelled_rows, 5600);
  EXPECT_NE(ClassifierRef(fitted.model).notes().back().find("weight of rows without a label: "),
            std::string::npos);
}

// What is reported as held-out belongs to the procedure that was saved.
TEST(UnlabelledWeight, ReportedLossIsOfTheWeightThatIsUsed) {
  const Table train = without_labels(testing::random_table(300, 3, 2, 5), 4);
  const AutoFit with = fit_auto(train, {.fit = {.unlabelled_weight = 1}}),
                without = fit_auto(train, {.fit = {.unlabelled_weight = 0}});
  EXPECT_NE(with.choice.log_loss, without.choice.log_loss);
  const Selection again =
      cross_validate(train, {{"", with.choice.recipe, {}}}, {.fit = {.unlabelled_weight = 1}});
  EXPECT_NEAR(again.candidates.front().log_loss, with.choice.log_loss, 1e-7);
}

TEST(UnlabelledWeight, WithoutOneRowsAreLeftOutWithANote) {
  Table table = testing::random_table(120, 3, 2, 3);
  for (std::size_t i = 0; i < 40; ++i) table.labels[i] = -1;
  const Table labelled = data::selected(table, testing::range(40, 120));
  for (const AnyRecipe& recipe : {AnyRecipe(lda()), AnyRecipe(logistic())}) {
    const Fitted<Classifier> found = fit(table, recipe), alone = fit(labelled, recipe);
    EXPECT_EQ(found.report.unlabelled_left_out, 40);
    EXPECT_EQ(found.report.rows, 80);
    EXPECT_EQ(found.report.notes.front().text.text,
              "40 rows have no label in 'class' and are left out");
    EXPECT_NEAR(loss(found.model, labelled), loss(alone.model, labelled), 1e-12);
  }
}

}  // namespace
}  // namespace genera::unlabelled_weight_test
