// Without labels in the rows, an EM over partitions is that of a mixture.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include <genera/em.hpp>
#include <genera/mixture.hpp>

#include "support/problems.hpp"

namespace genera {
namespace {

Table without_labels(Table table) {
  std::ranges::fill(table.labels, -1);
  return table;
}

class MixtureOverPartitions : public ::testing::TestWithParam<Covariance> {};

TEST_P(MixtureOverPartitions, IsThatOfOneTable) {
  const Table table = testing::random_table(300, 3, 2, 5);
  const Covariance covariance = GetParam();
  Recipe recipe = covariance == Covariance::full ? qda() : lda();
  const FitOptions options{.unlabelled_weight = 1};
  const Table rows = without_labels(table);
  const EmPlan plan(observe(table, recipe, options), recipe, options);
  const EmRows first(plan, Rows(rows).between(0, 120));
  const EmRows second(plan, Rows(rows).between(120, 300));
  ExpectedSums complete = first.complete();
  complete.merge(second.complete());
  Em em(plan, std::move(complete));
  while (!em.done()) {
    ExpectedSums expected = first.expect(em.model());
    expected.merge(second.expect(em.model()));
    em.accept(std::move(expected));
  }
  PatternSums patterns = first.patterns(em.model());
  patterns.merge(second.patterns(em.model()));
  const Report report = em.result(patterns).report;
  EXPECT_EQ(report.weak_priors, 0);
  const Clustering found =
      cluster(rows, {.mixture = {.components = {2, 2}}, .covariances = {covariance}});
  EXPECT_NEAR(report.em->log_likelihood, found.candidates[found.best].log_likelihood, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Structures, MixtureOverPartitions,
                         ::testing::Values(Covariance::full, Covariance::tied));

}  // namespace
}  // namespace genera
