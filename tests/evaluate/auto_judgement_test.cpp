#include "evaluate/auto_judgement.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "support/problems.hpp"

namespace genera::auto_judgement_test {
namespace {

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
