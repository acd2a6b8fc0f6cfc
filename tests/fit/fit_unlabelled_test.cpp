#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <genera/evaluate.hpp>
#include <genera/fit.hpp>

#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

namespace genera::unlabelled_test {
namespace {

using testing::error_of;
using testing::largest_difference;
using testing::mixed_table;
using testing::random_table;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

const GaussianParameters& gaussian(const Model& model) {
  return std::get<GaussianBlock>(model.blocks().front()).parameters();
}

TEST(Unlabelled, RowsBeatAFewLabelsAlone) {
  const Table all = random_table(2020, 4, 2, 31);
  const Table fresh = random_table(4000, 4, 2, 32);
  Table some = testing::rows_of(all, testing::range(0, 20));
  Table both = all;
  for (std::size_t i = 20; i < 2020; ++i) both.labels[i] = -1;
  for (const Recipe& recipe : {qda(), gaussian_naive_bayes()}) {
    const double alone = evaluate(fit(some, recipe).model, fresh).log_loss();
    const double together =
        evaluate(fit(both, recipe, {.unlabelled_weight = 1}).model, fresh).log_loss();
    EXPECT_LT(together, alone);
  }
}

TEST(Unlabelled, RowsOfWeightZeroAreNotThere) {
  Table table = random_table(100, 3, 2, 3);
  const Table labelled = testing::rows_of(table, testing::range(0, 60));
  for (std::size_t i = 60; i < 100; ++i) table.labels[i] = -1;
  const Model without = fit(labelled, qda()).model;
  const Model weightless = fit(table, qda(), {.unlabelled_weight = 0}).model;
  EXPECT_LT(
      largest_difference(gaussian(without).covariances[1], gaussian(weightless).covariances[1]),
      1e-12);
  EXPECT_LT(largest_difference(gaussian(without).means, gaussian(weightless).means), 1e-12);
}

TEST(Unlabelled, RowsAloneHaveNoClasses) {
  Table table = random_table(20, 2, 2, 3);
  table.weights.assign(20, 0);
  for (std::size_t i = 10; i < 20; ++i) {
    table.labels[i] = -1;
    table.weights[i] = 1;
  }
  EXPECT_EQ(error_of([&] { (void)fit(table, lda(), {.unlabelled_weight = 1}); }),
            "no labelled row has a weight above 0 | give labelled rows a weight above 0");
}

TEST(Unlabelled, RowsOfMixedTablesTakePart) {
  Table table = mixed_table(200, 5);
  for (std::size_t i = 0; i < 200; i += 2) table.labels[i] = -1;
  table.numbers(3, 0) = nan;
  const auto [model, report] = fit(table, lda(), {.unlabelled_weight = 1});
  double weight = 0;
  for (const double count : model.counts()) weight += count;
  EXPECT_NEAR(weight, 200, 1e-9);
  EXPECT_EQ(report.rows, 200);
  EXPECT_EQ(report.unlabelled_rows, 100);
  EXPECT_EQ(report.missing_numbers, 1);
  EXPECT_GT(report.em.value().certainty, report.em.value().certainty_first);
}

TEST(Unlabelled, RowsAreRefusedAsLabelledOnesAre) {
  Table table = random_table(100, 3, 2, 3);
  for (std::size_t i = 60; i < 100; ++i) table.labels[i] = -1;
  Table infinite = table;
  infinite.numbers(70, 1) = -HUGE_VAL;
  infinite.numbers(61, 1) = nan;
  const std::string replace = " | replace the value, or leave the cell empty if it is missing";
  for (const Recipe& recipe : {qda(), mda({.components = {1, 2}, .starts = 1})})
    EXPECT_EQ(error_of([&] { (void)fit(infinite, recipe, {.unlabelled_weight = 1}); }),
              "row 71: column 'x1' is infinite" + replace);
  for (const double weight : {-1.0, nan, HUGE_VAL}) {
    Table weighted = table;
    weighted.weights.assign(100, 1);
    weighted.weights[80] = weight;
    const std::string said =
        error_of([&] { (void)fit(weighted, qda(), {.unlabelled_weight = 1}); });
    EXPECT_TRUE(said.starts_with("row 81: the weight is ")) << said;
    EXPECT_TRUE(said.ends_with(" | weights must be finite numbers of at least 0")) << said;
  }
  Table texts = mixed_table(20, 1);
  std::size_t row = 0;
  while (texts.sparse.front().begins[row + 1] == 0) ++row;
  texts.labels[row] = -1;
  texts.sparse.front().values.front() = HUGE_VAL;
  EXPECT_EQ(error_of([&] { (void)fit(texts, lda(), {.unlabelled_weight = 1}); }),
            "row " + std::to_string(row + 1) + ": column '" + texts.sparse.front().terms.front() +
                "' is infinite" + replace);
}

}  // namespace
}  // namespace genera::unlabelled_test
