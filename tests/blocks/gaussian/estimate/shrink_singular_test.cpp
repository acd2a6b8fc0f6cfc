#include "blocks/gaussian/estimate/shrink_singular.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include <genera/evaluate.hpp>
#include <genera/fit.hpp>
#include <genera/query.hpp>

#include "blocks/gaussian/estimate/shrinkage.hpp"
#include "kernel/cholesky.hpp"
#include "support/problems.hpp"

namespace genera::shrink_singular_test {
namespace {

using blocks::SingularCause;
using testing::largest_difference;
using testing::random_table;
using testing::range;
using testing::rows_of;

Recipe shrinking(Recipe recipe) {
  recipe.gaussian.on_singular = OnSingular::shrink;
  return recipe;
}

Vector amounts(const Model& model) {
  return std::get<GaussianBlock>(model.blocks().front()).parameters().shrinkage;
}

/// `table` with a column x0 - 2 x1 + 7 at its end.
Table with_dependent_column(const Table& table) {
  const Index n = table.numbers.rows(), d = table.numbers.columns();
  Matrix x(n, d + 1);
  std::vector<std::string> names, labels;
  for (Index j = 0; j <= d; ++j) names.push_back("x" + std::to_string(j));
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < d; ++j) x(i, j) = table.numbers(i, j);
    x(i, d) = x(i, 0) - 2 * x(i, 1) + 7;
    const auto label = static_cast<std::size_t>(table.labels[static_cast<std::size_t>(i)]);
    labels.push_back(table.classes[label]);
  }
  return make_table(names, std::move(x), labels);
}

/// The last column is the sum of the first two in class c1, and independent of them in class c0.
Table with_relation_in_one_class(Index n, std::uint64_t seed) {
  Table table = random_table(n, 4, 2, seed);
  for (Index i = 0; i < n; ++i) {
    const auto label = static_cast<std::size_t>(table.labels[static_cast<std::size_t>(i)]);
    if (table.classes[label] == "c1")
      table.numbers(i, 3) = table.numbers(i, 0) + table.numbers(i, 1);
  }
  return table;
}

TEST(ShrinkSingular, ADependentColumnChangesNoPosterior) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Table table = random_table(150, 3, 3, seed);
    const Table wider = with_dependent_column(table);
    for (const Recipe& recipe : {qda(), lda(), rda(0.5, 0)}) {
      const Matrix plain = posterior(fit(table, recipe).model, table);
      const Matrix shrunk = posterior(fit(wider, shrinking(recipe)).model, wider);
      EXPECT_LT(largest_difference(plain, shrunk), 1e-4) << "seed " << seed;
    }
  }
}

TEST(ShrinkSingular, ARelationOfOneClassTellsItFromTheOthers) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Table all = with_relation_in_one_class(2200, seed);
    const Table train = rows_of(all, range(0, 200)), held_out = rows_of(all, range(200, 2200));
    Recipe tiny = qda();
    tiny.gaussian.shrinkage = {Shrinkage::Kind::fixed, 1e-6};
    const double expected = evaluate(fit(train, tiny).model, held_out).log_loss();
    const double found = evaluate(fit(train, shrinking(qda())).model, held_out).log_loss();
    EXPECT_LT(found, expected + 1e-3) << "seed " << seed;
  }
}

/// One missing cell or many: EM shrinks as a fit of complete rows does.
TEST(ShrinkSingular, EmKeepsARelationOfOneClass) {
  const Table all = with_relation_in_one_class(2200, 2);
  const Table train = rows_of(all, range(0, 200)), held_out = rows_of(all, range(200, 2200));
  const double complete = evaluate(fit(train, shrinking(qda())).model, held_out).log_loss();
  for (const double share : {0.001, 0.01, 0.05, 0.15}) {
    const auto [model, report] = fit(testing::with_missing(train, share, 7), shrinking(qda()));
    EXPECT_EQ(report.outcome, Outcome::converged) << share;
    EXPECT_EQ(report.covariances_moved, 1) << share;
    EXPECT_NEAR(amounts(model)[1], blocks::dependent_shrinkage, 1e-12) << share;
    EXPECT_LT(evaluate(model, held_out).log_loss(), complete + 0.01) << share;
  }
}

/// Nearly: rows that lack the relation leave classes with different variances across it.
TEST(ShrinkSingular, EmChangesHardlyAPosteriorForADependentColumn) {
  const Table table = random_table(150, 3, 3, 6);
  for (const Recipe& recipe : {qda(), lda()}) {
    Table missing = testing::with_missing(table, 0.05, 8), wider = with_dependent_column(table);
    for (Index i = 0; i < 150; ++i) {  // the dependent column lacks what it depends on
      for (Index j = 0; j < 3; ++j) wider.numbers(i, j) = missing.numbers(i, j);
      if (std::isnan(missing.numbers(i, 0) + missing.numbers(i, 1)))
        wider.numbers(i, 3) = std::nan("");
    }
    EXPECT_LT(largest_difference(
                  posterior(fit(missing, recipe).model, table),
                  posterior(fit(wider, shrinking(recipe)).model, with_dependent_column(table))),
              1e-2);
  }
}

TEST(ShrinkSingular, UnitsChangeNoPosterior) {
  const Table table = with_relation_in_one_class(200, 3);
  Table scaled = table;
  for (Index i = 0; i < 200; ++i) {
    scaled.numbers(i, 0) *= 3e-7;
    scaled.numbers(i, 3) *= 7e5;
  }
  EXPECT_LT(largest_difference(posterior(fit(table, shrinking(qda())).model, table),
                               posterior(fit(scaled, shrinking(qda())).model, scaled)),
            1e-6);
}

TEST(ShrinkSingular, TheFirstCauseThatHoldsDecides) {
  const Matrix dependent(2, 2, {1, 1, 1, 1}), constant(2, 2, {1, 0, 0, 0});
  EXPECT_EQ(blocks::cause_of_singularity(dependent, 2), SingularCause::dependent_columns);
  EXPECT_EQ(blocks::cause_of_singularity(constant, 2), SingularCause::constant_columns);
  EXPECT_EQ(blocks::cause_of_singularity(dependent, 1), SingularCause::few_rows);
  EXPECT_EQ(blocks::cause_of_singularity(constant, 1), SingularCause::few_rows);
}

TEST(ShrinkSingular, FewRowsAndConstantColumnsGetTheAnalyticAmount) {
  const Matrix dependent(2, 2, {1, 1, 1, 1}), constant(2, 2, {1, 0, 0, 0});
  const Vector sd{1, 2};
  const auto analytic = [&](const Matrix& s, double nu) {
    return blocks::oas_amount(blocks::spread_of(s, sd), nu);
  };
  EXPECT_EQ(blocks::shrink_singular(dependent, sd, 50).amount, blocks::dependent_shrinkage);
  EXPECT_EQ(blocks::shrink_singular(dependent, sd, 1).amount, analytic(dependent, 1));
  EXPECT_EQ(blocks::shrink_singular(constant, sd, 50).amount, analytic(constant, 50));
  const auto found = blocks::shrink_singular(dependent, sd, 50);
  const double rho = found.amount;
  EXPECT_LT(largest_difference(found.covariance, Matrix(2, 2, {1, 1 - rho, 1 - rho, 1 + 3 * rho})),
            1e-15);
}

TEST(ShrinkSingular, AClassThatVariesFarMoreThanTheOthersGetsTheAnalyticAmount) {
  const Matrix dependent(2, 2, {1, 1, 1, 1});
  for (const double sd : {1.0, 1e-1, 1e-2, 1e-3, 1e-4}) {
    const auto found = blocks::shrink_singular(dependent, {sd, sd}, 50);
    EXPECT_TRUE(kernel::is_regular(found.covariance)) << sd;
    EXPECT_EQ(found.amount == blocks::dependent_shrinkage, sd > 1e-3) << sd;
  }
}

/// A combination of covariances is singular only where the pooled one is: rows of all classes
/// count.
TEST(ShrinkSingular, RdaCountsTheRowsOfAllClasses) {
  Table table = with_dependent_column(random_table(60, 3, 2, 4));
  table.append(make_table({"x0", "x1", "x2", "x3"}, Matrix(2, 4, {9, 9, 9, -2, 8, 9, 7, -3}),
                          {"few", "few"}));
  for (const double amount : amounts(fit(table, shrinking(rda(0.5, 0))).model))
    EXPECT_EQ(amount, blocks::dependent_shrinkage);
  EXPECT_GT(amounts(fit(table, shrinking(qda())).model)[2], 0.01);
}

TEST(ShrinkSingular, OneWarningNamesClassesColumnsAndAmounts) {
  const auto [one, report] = fit(with_relation_in_one_class(200, 1), shrinking(qda()));
  EXPECT_EQ(report.covariances_moved, 1);
  ASSERT_EQ(report.notes.size(), 1U);
  EXPECT_EQ(report.notes[0].kind, Note::Kind::warning);
  const std::string text = in_words(report.notes[0]);
  EXPECT_TRUE(
      text.starts_with("warning: singular covariance shrunk toward the pooled variances: "
                       "class 'c1' ("))
      << text;
  EXPECT_NE(text.find(" rows) by 1e-06 (linearly dependent on the others: 'x"), text.npos) << text;
  const auto few = fit(random_table(20, 8, 5, 1), shrinking(qda())).report;
  EXPECT_EQ(few.covariances_moved, 5);
  ASSERT_EQ(few.notes.size(), 1U);
  const std::string listed = in_words(few.notes[0]);
  EXPECT_NE(listed.find("(too few rows for 8 columns); class 'c1' ("), text.npos) << listed;
  EXPECT_TRUE(listed.ends_with("; and 2 more")) << listed;
}

}  // namespace
}  // namespace genera::shrink_singular_test
