#include "evaluate/auto_judgement.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "support/problems.hpp"

namespace genera::auto_judgement_test {
namespace {

/// Half of the rows of each class follow naive Bayes with columns of different scales, the others
/// have correlated columns, so that neither family is right.
Table two_kinds_of_rows(Index rows, std::uint64_t seed) {
  Rng rng(seed);
  Table table = testing::random_table(rows, 6, 2, seed);
  for (Index i = 0; i < rows; ++i) {
    const double side = table.labels[static_cast<std::size_t>(i)] == 0 ? -0.7 : 0.7;
    const bool correlated = rng.uniform() < 0.5;
    const double common = rng.normal();
    for (Index j = 0; j < 6; ++j) {
      const double own = rng.normal();
      table.numbers(i, j) = correlated ? 2 * common + 0.2 * own + (j == 0 ? side : 0)
                                       : own * (1 + static_cast<double>(j)) + 2 * side;
    }
  }
  return table;
}

TEST(AutoJudgement, ACommitteeIsThePoolOfItsMembersFittedAlone) {
  const Table table = two_kinds_of_rows(2000, 5);
  const AutoFit found = fit_auto(table);
  ASSERT_EQ(found.choice.name, "committee");
  const Committee& committee = std::get<Committee>(found.fitted.model);
  ASSERT_EQ(committee.members().size(), found.choice.members.size());
  ASSERT_GE(committee.members().size(), 2U);
  double sum = 0;
  for (std::size_t m = 0; m < committee.members().size(); ++m) {
    EXPECT_EQ(committee.members()[m].name, found.choice.members[m].name);
    EXPECT_GE(committee.members()[m].weight, 0.02);
    sum += committee.members()[m].weight;
  }
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_LT(*found.choice.expected_log_loss, found.choice.runner_up_log_loss);
  EXPECT_NE(committee.notes().back().find("auto: committee of "), std::string::npos);
  EXPECT_FALSE(found.choice.calibration.has_value());
  const Table fresh = two_kinds_of_rows(4000, 6);
  const AutoFit alone = fit_auto(table, {.pool = false});
  EXPECT_TRUE(std::holds_alternative<Model>(alone.fitted.model));
  EXPECT_LT(evaluate(committee, fresh).log_loss(), evaluate(alone.fitted.model, fresh).log_loss());
}

TEST(AutoJudgement, OneModelIsPreferredOnRequest) {
  const Table table = two_kinds_of_rows(300, 5);
  EXPECT_TRUE(std::holds_alternative<Model>(fit_auto(table, {.fast = true}).fitted.model));
  const AutoFit simple = fit_auto(table, {.simple = true}), plain = fit_auto(table);
  EXPECT_LE(simple.choice.members.size(), plain.choice.members.size());
  EXPECT_EQ(simple.choice.candidates, plain.choice.candidates);
}

TEST(AutoJudgement, FewRowsHaveNoCommittee) {
  const AutoFit found = fit_auto(two_kinds_of_rows(99, 5));
  EXPECT_TRUE(std::holds_alternative<Model>(found.fitted.model));
  EXPECT_FALSE(found.choice.expected_log_loss.has_value());
}

// Twenty rows of two classes far apart: none is wrong, but twenty are not evidence for more than
// about 20 : 1 (Laplace's rule of succession).
TEST(AutoJudgement, FewRowsAreNoEvidenceForCertainty) {
  Rng rng(1);
  Matrix numbers(20, 2);
  std::vector<std::string> labels;
  for (Index i = 0; i < 20; ++i) {
    labels.emplace_back(i % 2 == 0 ? "a" : "b");
    for (Index j = 0; j < 2; ++j) numbers(i, j) = rng.normal() + (i % 2 == 0 ? 0 : 8);
  }
  const Table table = make_table({"x", "y"}, numbers, labels);
  const AutoFit found = fit_auto(table);
  const Matrix p = posterior(found.fitted.model, table);
  Vector certain;
  for (Index i = 0; i < 20; ++i) certain.push_back(std::max(p(i, 0), p(i, 1)));
  std::ranges::sort(certain);
  EXPECT_GT(certain[10], 0.8);
  EXPECT_LT(certain[10], 0.99);
  const AutoFit plain = fit_auto(table, {.calibrate = false});
  EXPECT_GT(posterior(plain.fitted.model, table)(0, 0), 0.999);
}

}  // namespace
}  // namespace genera::auto_judgement_test
