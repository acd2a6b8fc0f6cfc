// Covariances that would collapse because hardly a row is complete: two simulations of many fits
// each.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <genera/evaluate.hpp>
#include <genera/fit.hpp>

#include "fit/em/latent_rows.hpp"
#include "fit/em/iteration.hpp"
#include "fit/em/observed.hpp"
#include "support/problems.hpp"
#include "support/simulations.hpp"

namespace genera::collapse_test {
namespace {

using testing::random_table;
using testing::with_missing;

/// An EM of rows with holes that can be carried on after its end.
class Continued {
 public:
  Continued(const Table& table, const Recipe& recipe)
      : observed_(fit_detail::available_case_estimate(
            fit_detail::LearnedRows(table).observe(recipe, 1), recipe)),
        plan_(fit_detail::plan_of(observed_.all, recipe, report_)),
        start_(plan_, observed_.labelled) {
    how_.maximum_likelihood = true;
    Model model = fit_detail::estimate_model(plan_, start_, how_, {}, report_);
    const fit_detail::LatentRows rows(Rows(table), plan_, model, 1, 1);
    fit_detail::EmIteration em(plan_, std::move(model), rows.complete(), {}, &start_);
    fit_detail::run(em, rows, 1, [] {});
    outcome = em.outcome();
    model = em.model();
    const auto objective = [&](double log_likelihood) {
      for (std::size_t b = 0; b < plan_.blocks.size(); ++b)
        log_likelihood += plan_.blocks[b]->log_prior(model.blocks()[b], em.priors()[b]);
      return log_likelihood;
    };
    const double at_the_end = objective(em.step().log_likelihood);
    for (int step = 0; step < 100; ++step) {
      const fit_detail::Expected expected = rows.expect(model, 1);
      model = fit_detail::estimate_model(plan_, expected.sums, how_, em.priors(), report_);
    }
    gain_per_row = (objective(rows.expect(model, 1).log_likelihood) - at_the_end) /
                   rows.complete().rows.weight;
  }

  Outcome outcome = Outcome::iteration_limit;
  double gain_per_row = 0;  ///< of a hundred steps more

 private:
  Report report_;
  blocks::Estimating how_;
  fit_detail::Observed observed_;
  fit_detail::Plan plan_;
  fit_detail::PlanSums start_;
};

/// A fit that says it converged has converged, and errs at most twice as often on rows without
/// holes as one that shrinks its covariances. Whether it says so.
bool check(const Table& whole, const Table& missing, const Recipe& recipe,
           const std::string& what) {
  const auto [model, report] = fit(missing, recipe);
  Recipe shrinking = recipe;
  shrinking.gaussian.shrinkage.kind = Shrinkage::Kind::oas;
  const Index errors = evaluate(model, whole).errors();
  const Index shrunk = evaluate(fit(missing, shrinking).model, whole).errors();
  EXPECT_LE(errors, 2 * shrunk) << what;
  if (report.outcome != Outcome::converged) return false;
  const Continued again(missing, recipe);
  EXPECT_EQ(again.outcome, Outcome::converged);
  EXPECT_LT(again.gain_per_row, 1e-6) << what;
  EXPECT_GT(again.gain_per_row, -1e-8) << what;
  return true;
}

/// (W + 2 D^2) / (n + 2), D^2 diagonal: a covariance between two columns is n / (n + 2) of what it
/// would be without the prior.
TEST(CollapsingCovariances, WithWeakPriorsHaveTwoRowsMoreInTheirDivisor) {
  const Table table = random_table(90, 4, 3, 31);
  for (const Recipe& recipe : {qda(), lda()}) {
    Report report;
    const fit_detail::Observed observed = fit_detail::available_case_estimate(
        fit_detail::LearnedRows(table).observe(recipe, 1), recipe);
    const fit_detail::Plan plan = fit_detail::plan_of(observed.all, recipe, report);
    blocks::Estimating how;
    how.maximum_likelihood = true;
    const Model start = fit_detail::estimate_model(
        plan, fit_detail::PlanSums(plan, observed.labelled), how, {}, report);
    const fit_detail::LatentRows rows(Rows(table), plan, start, 1, 1);
    const fit_detail::PlanSums sums = rows.expect(start, 1).sums;
    const bool shared = recipe.gaussian.covariance == Covariance::tied;
    const fit_detail::CollapsePriors weak{std::vector<blocks::CollapsePrior>(shared ? 1 : 3, {2})};
    const auto covariances = [&](const fit_detail::CollapsePriors& priors) {
      const Model model = fit_detail::estimate_model(plan, sums, how, priors, report);
      return std::get<GaussianBlock>(model.blocks().front()).parameters().covariances;
    };
    const std::vector<Matrix> with = covariances(weak), without = covariances({});
    ASSERT_EQ(with.size(), without.size());
    for (std::size_t c = 0; c < with.size(); ++c) {
      const double n = shared ? 90 : sums.class_weights[c];
      ASSERT_GT(std::abs(without[c](2, 1)), 1e-3);
      EXPECT_NEAR(with[c](2, 1), without[c](2, 1) * n / (n + 2), 1e-13);
      EXPECT_GT(with[c](1, 1), without[c](1, 1) * n / (n + 2));
    }
  }
}

TEST(CollapsingCovariances, OfSmallTablesWithHalfOfTheirCells) {
  constexpr std::uint64_t tables = testing::simulations(40);
  std::uint64_t converged = 0;
  for (std::uint64_t seed = 1; seed <= tables; ++seed) {
    const Table whole = random_table(90, 4, 3, seed);
    converged +=
        check(whole, with_missing(whole, 0.5, seed + 100), qda(), "seed " + std::to_string(seed));
  }
  EXPECT_GE(converged + 2, tables);
}

TEST(CollapsingCovariances, OfIrisWithMissingCells) {
  const Table iris = read_csv("@iris", {.target = "species"});
  constexpr std::uint64_t tables = testing::simulations(20);
  std::uint64_t converged = 0;
  for (const double share : {0.3, 0.4, 0.5, 0.6}) {
    for (std::uint64_t seed = 1; seed <= tables; ++seed)
      converged += check(iris, with_missing(iris, share, seed), qda(),
                         std::to_string(share) + " of the cells, seed " + std::to_string(seed));
  }
  EXPECT_GE(converged + 2, 4 * tables);
}

}  // namespace
}  // namespace genera::collapse_test
