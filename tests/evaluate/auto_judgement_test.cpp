#include "evaluate/auto_judgement.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "support/problems.hpp"

namespace genera::auto_judgement_test {
namespace {

TEST(AutoJudgement, ACommitteeIsThePoolOfItsMembersFittedAlone) {
  const Table table = read_csv("@breast_cancer");
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
  const AutoFit again = fit_auto(table, {}, {.threads = 3});
  EXPECT_EQ(to_bytes(again.fitted.model), to_bytes(found.fitted.model));
  const AutoFit alone = fit_auto(table, {.pool = false});
  EXPECT_TRUE(std::holds_alternative<Model>(alone.fitted.model));
  EXPECT_EQ(alone.choice.name, found.choice.runner_up);
}

TEST(AutoJudgement, OneModelIsPreferredOnRequest) {
  const Table table = read_csv("@pima_train");
  EXPECT_TRUE(std::holds_alternative<Model>(fit_auto(table, {.fast = true}).fitted.model));
  const AutoFit simple = fit_auto(table, {.simple = true}), plain = fit_auto(table);
  EXPECT_LE(simple.choice.members.size(), plain.choice.members.size());
  EXPECT_EQ(simple.choice.candidates, plain.choice.candidates);
}

TEST(AutoJudgement, FewRowsHaveNoCommittee) {
  const AutoFit found = fit_auto(testing::random_table(99, 4, 2, 5));
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
