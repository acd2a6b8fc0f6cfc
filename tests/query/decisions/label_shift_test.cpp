#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <genera/genera.hpp>

#include "support/problems.hpp"

namespace genera::label_shift_test {
namespace {

using testing::error_of;

/// Unit normals at 0, 1.5, 3, ... in one column.
Model normals_in_a_row(const Vector& prior) {
  const auto classes = static_cast<Index>(prior.size());
  GaussianParameters p{.family = Family::lda,
                       .columns = {"x"},
                       .means = Matrix(classes, 1),
                       .covariances = {Matrix(1, 1, {1})}};
  std::vector<std::string> names;
  for (Index k = 0; k < classes; ++k) {
    p.means(k, 0) = 1.5 * static_cast<double>(k);
    names.push_back("c" + std::to_string(k));
  }
  return {names, Prior(prior), {GaussianBlock(p)}};
}

/// So many rows of each class.
Matrix rows_of_classes(const std::vector<Index>& counts, std::uint64_t seed) {
  Rng rng(seed);
  Vector x;
  for (std::size_t k = 0; k < counts.size(); ++k)
    for (Index i = 0; i < counts[k]; ++i) x.push_back(1.5 * static_cast<double>(k) + rng.normal());
  const auto count = static_cast<Index>(x.size());
  return {count, 1, std::move(x)};
}

/// Sum over rows of log sum_k pi_k / pi0_k p_ik.
double log_likelihood(const Matrix& posterior, const Vector& base, const Vector& prior) {
  double total = 0;
  for (Index i = 0; i < posterior.rows(); ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < base.size(); ++k)
      if (base[k] > 0) sum += prior[k] / base[k] * posterior(i, static_cast<Index>(k));
    total += std::log(sum);
  }
  return total;
}

TEST(LabelShift, FindsTheProportionsWithinTheirErrors) {
  const Vector base{0.5, 0.5};
  const Model model = normals_in_a_row(base);
  const std::vector<Index> counts{36'000, 4'000};
  const Matrix p = posterior(model, rows_of_classes(counts, 3));
  const PriorEstimate found = estimate_priors(model, p);
  ASSERT_TRUE(found.converged);
  const Vector& pi = found.prior.probabilities();
  double information = 0;  // of pi_1, observed
  for (Index i = 0; i < p.rows(); ++i) {
    const double r0 = p(i, 0) / base[0], r1 = p(i, 1) / base[1];
    information += std::pow((r1 - r0) / (pi[0] * r0 + pi[1] * r1), 2);
  }
  EXPECT_NEAR(pi[1], 0.1, 3 / std::sqrt(information));
  EXPECT_LT(1 / std::sqrt(information), 0.01);
}

TEST(LabelShift, IsWhereTheLikelihoodIsLargest) {
  const Vector base{0.2, 0.5, 0.3};
  const Model model = normals_in_a_row(base);
  const Matrix p = posterior(model, rows_of_classes({300, 50, 650}, 5));
  const Vector best = estimate_priors(model, p).prior.probabilities();
  const double max = log_likelihood(p, base, best);
  for (std::size_t from = 0; from < 3; ++from) {
    for (std::size_t to = 0; to < 3; ++to) {
      Vector other = best;
      other[from] -= 0.01;
      other[to] += 0.01;
      EXPECT_LE(log_likelihood(p, base, other), max + 1e-9);
    }
  }
}

/// A model whose prior is that of an earlier step takes the next one: the likelihood never falls.
RC_GTEST_PROP(LabelShift, EveryStepRaisesTheLikelihood, (std::uint8_t seed)) {
  const Vector base{0.2, 0.5, 0.3};
  const Model model = normals_in_a_row(base);
  const Matrix rows = rows_of_classes({30, 5, 65}, seed);
  const Matrix p = posterior(model, rows);
  Vector prior = base;
  double last = log_likelihood(p, base, prior);
  for (int step = 0; step < 30; ++step) {
    const Matrix now = posterior(model.with_prior(Prior(prior)), rows);
    for (Index k = 0; k < 3; ++k) {
      double sum = 0;
      for (Index i = 0; i < now.rows(); ++i) sum += now(i, k);
      prior[static_cast<std::size_t>(k)] = sum / static_cast<double>(now.rows());
    }
    const double next = log_likelihood(p, base, prior);
    RC_ASSERT(next >= last - 1e-10);
    last = next;
  }
  RC_ASSERT(log_likelihood(p, base, estimate_priors(model, p).prior.probabilities()) >=
            last - 1e-9);
}

TEST(LabelShift, StartsFromNoPriorInParticular) {
  const Matrix rows = rows_of_classes({300, 50, 650}, 5);
  const Model one = normals_in_a_row({0.2, 0.5, 0.3}), other = normals_in_a_row({0.6, 0.1, 0.3});
  const Vector a = estimate_priors(one, posterior(one, rows)).prior.probabilities();
  const Vector b = estimate_priors(other, posterior(other, rows)).prior.probabilities();
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], 1e-7);
}

TEST(LabelShift, OfCertainRowsIsTheirProportions) {
  const Model model = normals_in_a_row({0.2, 0.5, 0.3});
  Matrix certain(7, 3);
  for (const auto& [row, k] : {std::pair{0, 0}, {1, 0}, {2, 2}, {3, 2}, {4, 2}, {5, 2}, {6, 2}})
    certain(row, k) = 1;
  const PriorEstimate found = estimate_priors(model, certain);
  EXPECT_EQ(found.prior.probabilities(), (Vector{2 / 7.0, 0, 5 / 7.0}));
  EXPECT_TRUE(found.converged);
  EXPECT_EQ(found.iterations, 2);
}

/// The densities have ratios 3/2 and 1/2: the likelihood is flat where the second class vanishes,
/// and EM creeps there as 1/t.
TEST(LabelShift, SaysThatItHasNotArrived) {
  const Model model = normals_in_a_row({0.5, 0.5});
  const PriorEstimate found = estimate_priors(model, Matrix(2, 2, {0.4, 0.6, 2 / 3.0, 1 / 3.0}));
  EXPECT_FALSE(found.converged);
  EXPECT_EQ(found.iterations, 10'000);
  EXPECT_LT(found.prior.probabilities()[1], 1e-3);
}

TEST(LabelShift, LeavesAPriorOfZero) {
  const Model model = normals_in_a_row({0.5, 0, 0.5});
  const Matrix p = posterior(model, rows_of_classes({100, 100, 200}, 8));
  EXPECT_EQ(estimate_priors(model, p).prior.probabilities()[1], 0);
}

TEST(LabelShift, IsTheSameForAnyNumberOfThreads) {
  const Model model = normals_in_a_row({0.2, 0.5, 0.3});
  const Matrix p = posterior(model, rows_of_classes({9'000, 5'000, 6'000}, 9));
  const Prior one = estimate_priors(model, p).prior;
  for (const int threads : {2, 3, 5})
    EXPECT_EQ(estimate_priors(model, p, {.threads = threads}).prior, one);
}

TEST(LabelShift, OfAStreamIsThatOfItsTableAndCanBeReadAgain) {
  const Table iris = read_csv("@iris");
  const Model model = fit(iris, lda()).model.with_prior(Prior({0.8, 0.1, 0.1}));
  RowStream rows("@iris", {}, roles_for(model));
  const PriorEstimate found = estimate_priors(model, rows);
  EXPECT_EQ(found.prior, estimate_priors(model, posterior(model, iris)).prior);
  Index again = 0;
  rows.for_each_chunk({.threads = 1}, [&](Table&& chunk) -> std::function<void()> {
    return [&again, count = chunk.rows()] { again += count; };
  });
  EXPECT_EQ(again, 150);
}

TEST(LabelShift, RefusesWhatAreNoPosteriors) {
  const Model model = normals_in_a_row({0.5, 0.5, 0});
  const std::string hint = " | give the posteriors of the rows under the model";
  EXPECT_EQ(error_of([&] { (void)estimate_priors(model, Matrix(0, 3)); }),
            "there are no rows to estimate the priors from | give a table with rows");
  EXPECT_EQ(error_of([&] { (void)estimate_priors(model, Matrix(1, 2, 0.5)); }),
            "posteriors of 2 classes are given for a model of 3" + hint);
  for (const Matrix& wrong : {Matrix(1, 3, {0.5, 0.4, 0}), Matrix(1, 3, {0.5, 0.25, 0.25}),
                              Matrix(1, 3, {1.5, -0.5, 0}), Matrix(1, 3, {NAN, 0.5, 0})})
    EXPECT_EQ(error_of([&] { (void)estimate_priors(model, wrong); }),
              "row 1: these are not posteriors under the model's prior" + hint);
}

}  // namespace
}  // namespace genera::label_shift_test
