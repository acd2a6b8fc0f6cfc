#include "evaluate/pooling.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "support/problems.hpp"

namespace genera::select_detail {
namespace {

double objective(const std::vector<Vector>& p, const Vector& v) {
  double sum = 0;
  for (std::size_t i = 0; i < p.front().size(); ++i) {
    double pooled = 0;
    for (std::size_t m = 0; m < v.size(); ++m) pooled += v[m] * p[m][i];
    sum += std::log(pooled);
  }
  for (const double weight : v) sum += std::log(weight) / static_cast<double>(v.size());
  return sum;
}

std::vector<Vector> some_probabilities() {
  Rng rng(4);
  std::vector<Vector> p(3, Vector(200));
  for (std::size_t i = 0; i < 200; ++i)
    for (std::size_t m = 0; m < 3; ++m)
      p[m][i] = 0.02 + 0.9 * std::pow(rng.uniform(), static_cast<double>(1 + m));
  return p;
}

TEST(PoolWeights, AreTheMaximum) {
  const std::vector<Vector> p = some_probabilities();
  const Vector found = pool_weights({p.data(), &p[1], &p[2]}, Vector(200, 1));
  EXPECT_NEAR(std::accumulate(found.begin(), found.end(), 0.0), 1, 1e-15);
  const double best = objective(p, found);
  for (double a = 0.005; a < 1; a += 0.01)
    for (double b = 0.005; a + b < 0.999; b += 0.01)
      EXPECT_LE(objective(p, {a, b, 1 - a - b}), best + 1e-9);
}

TEST(PoolWeights, AWeightIsARepetition) {
  const std::vector<Vector> p = some_probabilities();
  std::vector<Vector> twice = p;
  for (Vector& own : twice) own.insert(own.end(), own.begin(), own.begin() + 50);
  Vector weights(200, 1);
  std::fill_n(weights.begin(), 50, 2.0);
  const Vector one = pool_weights({p.data(), &p[1], &p[2]}, weights),
               other = pool_weights({twice.data(), &twice[1], &twice[2]}, Vector(250, 1));
  for (std::size_t m = 0; m < 3; ++m) EXPECT_NEAR(one[m], other[m], 1e-9);
}

TEST(PoolWeights, DoNotDependOnTheOrderOfMembers) {
  const std::vector<Vector> p = some_probabilities();
  const Vector one = pool_weights({p.data(), &p[1], &p[2]}, Vector(200, 1)),
               other = pool_weights({&p[2], p.data(), &p[1]}, Vector(200, 1));
  EXPECT_NEAR(one[0], other[1], 1e-9);
  EXPECT_NEAR(one[2], other[0], 1e-9);
}

/// Rows on which two models are right about different columns: one numeric, one categorical.
Table two_experts(Index rows, std::uint64_t seed) {
  Rng rng(seed);
  std::string text = "x,y,code,class\n";
  for (Index i = 0; i < rows; ++i) {
    const bool second = rng.uniform() < 0.5;
    const double z = rng.normal();
    const int code =
        rng.uniform() < 0.75 ? (second ? 3 : 5) : 1 + 2 * static_cast<int>(4 * rng.uniform());
    text += std::to_string(rng.normal() + (second ? 1 : 0)) + "," +
            std::to_string((second ? z * z : z) + 0.3 * rng.normal()) + "," + std::to_string(code) +
            (second ? ",b\n" : ",a\n");
  }
  return read_csv(Source::text(text, "rows"));
}

struct Judged {
  Selection selection;
  std::vector<PoolCandidate> candidates;
};

Judged judged(const Table& table) {
  Judged found;  // its candidates point into its selection
  found.selection = cross_validate(
      table, {{"lda", lda(), {}}, {"qda", qda(), {}}, {"gnb", gaussian_naive_bayes(), {}}},
      SelectOptions{.keep_scores = true});
  for (std::size_t c = 0; c < 3; ++c)
    found.candidates.push_back({{&found.selection.candidates[c].losses, c == 2 ? 1U : 0U},
                                &*found.selection.candidates[c].scores});
  return found;
}

TEST(PoolCandidates, OneMemberOfAFamily) {
  const Judged rows = judged(two_experts(300, 3));
  const Pool pool = pool_candidates(rows.candidates, rows.selection.truths, {}, {});
  EXPECT_LE(pool.members.size(), 2U);
  EXPECT_EQ(pool.calibrations.size(), 3U);
  double sum = 0;
  for (const Pool::Member& member : pool.members) sum += member.weight;
  EXPECT_NEAR(sum, pool.members.empty() ? 0 : 1, 1e-14);
  const Pool again = pool_candidates(rows.candidates, rows.selection.truths, {}, {.threads = 3});
  EXPECT_EQ(again.log_loss.mean, pool.log_loss.mean);
}

TEST(PoolCandidates, EqualCandidatesAreNotPooled) {
  Judged rows = judged(two_experts(300, 3));
  rows.candidates = {rows.candidates[0], rows.candidates[0]};
  rows.candidates[1].about.family = 1;
  const Pool pool = pool_candidates(rows.candidates, rows.selection.truths, {}, {});
  EXPECT_TRUE(pool.alone);
  EXPECT_NEAR(pool.log_loss.mean, pool.best_log_loss.mean, 1e-12);
}

/// Scores of a model that knows the class of rows with this parity, and nothing of the others.
HeldOutScores half_expert(Index rows, Index parity) {
  HeldOutScores scores{Matrix(rows, 2), Matrix(5, 2, std::log(0.5)), {}, {}};
  for (Index i = 0; i < rows; ++i) {
    const Index truth = i / 2 % 2;
    const double known = i % 2 == parity ? 0.9 : 0.5;
    scores.scores(i, truth) = std::log(known);
    scores.scores(i, 1 - truth) = std::log(1 - known);
    scores.model_of.push_back(static_cast<std::int32_t>(i / 4 % 5));
  }
  return scores;
}

TEST(PoolCandidates, ExpertsOfDifferentRowsArePooled) {
  constexpr Index rows = 400;
  const std::vector<HeldOutScores> scores{half_expert(rows, 0), half_expert(rows, 1)};
  std::vector<std::int32_t> truths;
  std::vector<Vector> losses(2);
  for (Index i = 0; i < rows; ++i) {
    truths.push_back(static_cast<std::int32_t>(i / 2 % 2));
    for (std::size_t m = 0; m < 2; ++m) losses[m].push_back(-scores[m].scores(i, truths.back()));
  }
  const std::vector<PoolCandidate> both{{{losses.data(), 0}, scores.data()},
                                        {{&losses[1], 1}, &scores[1]}};
  const Pool pool = pool_candidates(both, truths, {}, {});
  EXPECT_FALSE(pool.alone);
  ASSERT_EQ(pool.members.size(), 2U);
  EXPECT_NEAR(pool.members[0].weight, 0.5, 1e-6);
  EXPECT_NEAR(pool.log_loss.mean, -std::log(0.7), 1e-6);
  EXPECT_NEAR(pool.best_log_loss.mean, -(std::log(0.9) + std::log(0.5)) / 2, 1e-6);
  EXPECT_TRUE(
      pool_candidates({both[0], {{losses.data(), 1}, scores.data()}}, truths, {}, {}).alone);
}

// The mean over many tables, because a single one says little: the nested loss against the loss of
// the same procedure's classifier on new rows. Both are relative to the loss of one good classifier
// on the same rows, which removes most of the noise of the rows.
TEST(PoolCandidates, TheNestedLossIsThatOfNewRows) {
  constexpr int tables = 60;
  const Classifier good = fit_auto(two_experts(5000, 1000)).fitted.model;
  const Table fresh = two_experts(10000, 999);
  const double of_good = evaluate(good, fresh).log_loss();
  double promised = of_good, true_loss = 0;
  for (int t = 0; t < tables; ++t) {
    const Table table = two_experts(200, static_cast<std::uint64_t>(t) + 1);
    const AutoFit found = fit_auto(table);
    ASSERT_TRUE(found.choice.expected_log_loss.has_value());
    promised += (*found.choice.expected_log_loss - evaluate(good, table).log_loss()) / tables;
    true_loss += evaluate(found.fitted.model, fresh).log_loss() / tables;
  }
  EXPECT_GT(promised, 0.98 * true_loss);
  EXPECT_LT(promised, 1.05 * true_loss);
}

}  // namespace
}  // namespace genera::select_detail
