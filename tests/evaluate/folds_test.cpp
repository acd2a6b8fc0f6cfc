#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "data/join_tables.hpp"
#include "evaluate/strata.hpp"
#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

namespace genera::folds_test {
namespace {

/// The fold of each row of a table whose rows are all different.
std::vector<std::int32_t> folds_of(const Table& table) { return stratified_folds(table, 5, 3).of; }

TEST(StratifiedFolds, DoNotDependOnTheOrderOfRows) {
  for (const Table& table : {testing::random_table(97, 3, 3, 1), testing::mixed_table(90, 4)}) {
    const std::vector<std::int32_t> folds = folds_of(table);
    for (unsigned seed = 0; seed < 5; ++seed) {
      const std::vector<Index> order = testing::permutation(table.rows(), seed);
      const std::vector<std::int32_t> shuffled = folds_of(data::selected(table, order));
      for (std::size_t i = 0; i < order.size(); ++i)
        ASSERT_EQ(shuffled[i], folds[static_cast<std::size_t>(order[i])]);
    }
  }
}

TEST(StratifiedFolds, DoNotDependOnColumnsOrUnits) {
  const Table table = testing::random_table(80, 3, 2, 9);
  Table other = table;
  other.columns = {{"a", ColumnType::numeric}, table.columns[0], {"zz", ColumnType::numeric}};
  for (Index i = 0; i < 80; ++i) {
    other.numbers(i, 0) = table.numbers(i, 2) * 1000;
    other.numbers(i, 1) = table.numbers(i, 0) * -1.8 + 32;
    other.numbers(i, 2) = table.numbers(i, 1);
  }
  EXPECT_EQ(folds_of(other), folds_of(table));
}

// Columns whose ranks are the same tell rows apart by their own values.
TEST(StratifiedFolds, OfSymmetricTablesDoNotDependOnTheOrderOfRows) {
  Table table = make_table({"x", "y"}, Matrix(72, 2), std::vector<std::string>(72, "a"));
  for (Index i = 0; i < 72; ++i) {
    table.numbers(i, 0) = static_cast<double>(i % 6);
    table.numbers(i, 1) = static_cast<double>(i / 6 % 6);
  }
  const auto fold_sizes = [](const Table& rows) {
    const std::vector<std::int32_t> folds = folds_of(rows);
    std::map<std::pair<double, double>, std::vector<std::int32_t>> found;
    for (Index i = 0; i < rows.rows(); ++i)
      found[{rows.numbers(i, 0), rows.numbers(i, 1)}].push_back(folds[static_cast<std::size_t>(i)]);
    for (auto& [row, own] : found) std::ranges::sort(own);
    return found;
  };
  for (unsigned seed = 0; seed < 5; ++seed)
    EXPECT_EQ(fold_sizes(data::selected(table, testing::permutation(72, seed))), fold_sizes(table));
}

TEST(StratifiedFolds, OfEqualRowsDifferByAtMostOne) {
  const Table table = make_table({"x"}, Matrix(103, 1, 1.0), std::vector<std::string>(103, "a"));
  std::map<std::int32_t, Index> sizes;
  for (const std::int32_t fold : folds_of(table)) ++sizes[fold];
  ASSERT_EQ(sizes.size(), 5U);
  for (const auto& [fold, count] : sizes) EXPECT_TRUE(count == 20 || count == 21);
}

TEST(StratifiedSample, KeepsSharesAndAMinimum) {
  Table table = testing::random_table(3000, 2, 2, 6);
  table.classes.push_back("rare");
  for (std::size_t i = 0; i < 25; ++i) table.labels[i * 3] = 2;
  const std::vector<Index> sample = select_detail::stratified_sample(table, 100, 2);
  std::map<std::int32_t, Index> sizes, all;
  for (const std::int32_t label : table.labels) ++all[label];
  for (const Index position : sample) ++sizes[table.labels[static_cast<std::size_t>(position)]];
  for (const std::int32_t label : {0, 1})
    EXPECT_EQ(static_cast<double>(sizes[label]),
              std::ceil(100.0 * static_cast<double>(all[label]) / 3000));
  EXPECT_EQ(sizes[2], 20);
  EXPECT_TRUE(std::ranges::is_sorted(sample));
  EXPECT_EQ(std::ssize(select_detail::stratified_sample(table, 5000, 2)), 3000);
}

// A frequency is as many rows: every figure is that of the repeated rows.
TEST(Frequencies, AreRepeatedRowsWhenHeldOut) {
  Table table = testing::random_table(60, 2, 3, 12);
  std::vector<Index> repeated;
  for (Index i = 0; i < 60; ++i) {
    table.weights.push_back(static_cast<double>(1 + i % 4));
    repeated.insert(repeated.end(), static_cast<std::size_t>(1 + i % 4), i);
  }
  Table single = table;
  single.weights.clear();
  table.frequencies = true;
  const Table copies = data::selected(single, repeated);
  const std::vector<Candidate> candidates{{"qda", qda(), {}}, {"logistic", logistic(), {}}};
  for (const bool loo : {false, true}) {
    const Selection some =
        loo ? leave_one_out(table, candidates) : cross_validate(table, candidates);
    const Selection all =
        loo ? leave_one_out(copies, candidates) : cross_validate(copies, candidates);
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      EXPECT_NEAR(some.candidates[c].log_loss, all.candidates[c].log_loss, 1e-9);
      EXPECT_NEAR(some.candidates[c].log_loss_se, all.candidates[c].log_loss_se, 1e-9);
      EXPECT_EQ(some.candidates[c].errors, all.candidates[c].errors);
      EXPECT_EQ(some.candidates[c].rows, copies.rows());
    }
  }
  const AutoFit one = fit_auto(table), other = fit_auto(copies);
  EXPECT_EQ(one.choice.name, other.choice.name);
  EXPECT_NEAR(one.choice.log_loss, other.choice.log_loss, 1e-9);
  EXPECT_LT(testing::largest_difference(posterior(std::get<Model>(one.fitted.model), single),
                                        posterior(std::get<Model>(other.fitted.model), single)),
            1e-9);
  EXPECT_EQ(one.fitted.report.rows, copies.rows());
  const Evaluation a = evaluate(std::get<Model>(one.fitted.model), table),
                   b = evaluate(std::get<Model>(one.fitted.model), copies);
  EXPECT_EQ(a.rows(), b.rows());
  EXPECT_EQ(a.errors(), b.errors());
  EXPECT_NEAR(a.log_loss(), b.log_loss(), 1e-12);
  EXPECT_FALSE(a.weighted());
}

TEST(Frequencies, OfZeroAreNotThere) {
  Table table = testing::random_table(40, 2, 2, 3);
  table.weights.assign(40, 2);
  table.weights[3] = table.weights[17] = 0;
  table.frequencies = true;
  const Model model = fit(table, lda()).model;
  const Evaluation found = evaluate(model, table);
  EXPECT_EQ(found.rows(), 76);
  EXPECT_FALSE(found.weighted());
  Index rows = 0;
  for (const auto& bin : found.reliability()) rows += bin.rows;
  EXPECT_EQ(rows, 76);
  for (Index i = 0; i < 40; ++i) table.numbers(i, 1) = std::nan("");
  EXPECT_NE(testing::error_of([&] {
              (void)fit(table, lda(), {.missing = Missing::drop});
            }).find("'x1' (76)"),
            std::string::npos);
}

TEST(Frequencies, ThatAddUpToTooManyRowsAreRefusedWhereRowsAreHeldOut) {
  Table table = testing::random_table(40, 2, 2, 3);
  table.weights.assign(40, 1e9);
  table.frequencies = true;
  EXPECT_EQ(fit(table, lda()).report.rows, 40'000'000'000);
  const std::string refused =
      "the counts add up to more than 100000000 rows, too many to be taken one by one | name a "
      "model with model, or give the counts as weights";
  EXPECT_EQ(testing::error_of([&] { (void)fit_auto(table); }), refused);
  EXPECT_EQ(testing::error_of([&] { (void)cross_validate(table, {{"lda", lda(), {}}}); }), refused);
}

// Weights are importances: losses are weighted, and a constant factor changes nothing.
TEST(Weights, CountInHeldOutLosses) {
  Table table = testing::random_table(80, 2, 2, 15);
  for (Index i = 0; i < 80; ++i) table.weights.push_back(i % 5 == 0 ? 8.25 : 0.5);
  const std::vector<Candidate> candidates{{"qda", qda(), {}}};
  const Selection found = cross_validate(table, candidates);
  const HeldOut& held_out = found.candidates.front();
  double sum = 0, total = 0;
  for (std::size_t i = 0; i < found.judged.size(); ++i) {
    const double weight = table.weights[static_cast<std::size_t>(found.judged[i])];
    sum += weight * held_out.losses[i];
    total += weight;
  }
  EXPECT_NEAR(held_out.log_loss, sum / total, 1e-12);
  Table scaled = table;
  for (double& weight : scaled.weights) weight *= 3;
  const HeldOut again = cross_validate(scaled, candidates).candidates.front();
  EXPECT_NEAR(again.log_loss, held_out.log_loss, 1e-12);
  EXPECT_NEAR(again.log_loss_se, held_out.log_loss_se, 1e-12);
}

}  // namespace
}  // namespace genera::folds_test
