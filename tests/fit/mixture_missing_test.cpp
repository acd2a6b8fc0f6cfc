// Mixtures of rows that lack numbers or labels, against likelihoods computed row by row.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <genera/mixture.hpp>
#include <genera/query.hpp>

#include "support/em_runs.hpp"
#include "support/problems.hpp"

namespace genera::missing_test {
namespace {

using testing::Components;
using testing::EmResult;
using testing::with_missing;

/// log N of the cells that are there, by a Cholesky factor of their covariance.
double log_normal(const GaussianParameters& p, Index c, std::span<const double> row) {
  std::vector<Index> there;
  for (Index j = 0; j < std::ssize(row); ++j) {
    if (!std::isnan(row[static_cast<std::size_t>(j)])) there.push_back(j);
  }
  const auto d = std::ssize(there);
  Matrix l(d, d);
  Vector z(there.size());
  double log_density = 0;
  const GaussianBlock block(p);
  const Matrix s = block.covariance(c);
  for (Index i = 0; i < d; ++i) {
    const auto at = static_cast<std::size_t>(i);
    double rest = row[static_cast<std::size_t>(there[at])] - p.means(c, there[at]);
    for (Index j = 0; j <= i; ++j) {
      double sum = s(there[at], there[static_cast<std::size_t>(j)]);
      for (Index t = 0; t < j; ++t) sum -= l(i, t) * l(j, t);
      l(i, j) = i == j ? std::sqrt(sum) : sum / l(j, j);
      if (j < i) rest -= l(i, j) * z[static_cast<std::size_t>(j)];
    }
    z[at] = rest / l(i, i);
    log_density -= 0.5 * (std::log(2 * std::numbers::pi) + z[at] * z[at]) + std::log(l(i, i));
  }
  return log_density;
}

double log_sum(const Vector& logs) {
  const double max = *std::ranges::max_element(logs);
  double sum = 0;
  for (const double l : logs) sum += std::exp(l - max);
  return max + std::log(sum);
}

/// sum over rows of w log sum_c weight_c N(x; c), of the components [first, last).
double log_mixture(const GaussianParameters& p, const Vector& weights, Index first, Index last,
                   std::span<const double> row) {
  Vector logs;
  for (Index c = first; c < last; ++c) {
    const double weight = weights[static_cast<std::size_t>(c)];
    if (weight > 0) logs.push_back(std::log(weight) + log_normal(p, c, row));
  }
  return log_sum(logs);
}

double log_likelihood(const Model& groups, const Table& table) {
  const auto& p = std::get<GaussianBlock>(groups.blocks().front()).parameters();
  double total = 0;
  for (Index i = 0; i < table.rows(); ++i)
    total +=
        (table.weights.empty() ? 1 : table.weights[static_cast<std::size_t>(i)]) *
        log_mixture(p, groups.prior().probabilities(), 0, p.means.rows(), table.numbers.row(i));
  return total;
}

std::vector<Table> tables_with_missing() {
  return {with_missing(read_csv("@iris", {.target = "species"}), 0.2, 1),
          with_missing(read_csv("@wine", {.target = "cultivar"}), 0.2, 2),
          with_missing(read_csv("@faithful_unlabelled", {.target = Target::none()}), 0.2, 3)};
}

TEST(MixturesWithMissingCells, HaveTheLikelihoodOfWhatIsObserved) {
  for (const Table& table : tables_with_missing()) {
    for (const Family family : {Family::qda, Family::lda, Family::gnb, Family::spherical}) {
      ClusterOptions options;
      options.mixture = {.components = {2, 2}, .starts = 3};
      options.covariances = {family};
      const Clustering found = cluster(table, options);
      const double total = log_likelihood(found.model, table);
      EXPECT_NEAR(found.report.em.value().log_likelihood, total,
                  1e-8 * static_cast<double>(table.rows()) + 1e-9 * std::abs(total))
          << name_of(family);
      EXPECT_GT(found.report.missing_numbers, 0);
    }
  }
}

TEST(MixturesWithMissingCells, NeverLoseLikelihood) {
  for (const Table& table : tables_with_missing()) {
    Matrix start(table.rows(), 3);
    for (Index i = 0; i < table.rows(); ++i) start(i, i % 3) = 1;
    for (const Family family : {Family::qda, Family::lda, Family::gnb, Family::spherical}) {
      GaussianOptions options;
      options.family = family;
      const EmResult em =
          testing::run_em(table, options, {{"all"}, {0, 0, 0}}, start, {.max_iterations = 200});
      if (em.on_floor) continue;
      ASSERT_GT(em.log_likelihood.size(), 3U);
      for (std::size_t t = 1; t < em.log_likelihood.size(); ++t)
        EXPECT_GE(em.log_likelihood[t] - em.log_likelihood[t - 1], -1e-8) << name_of(family);
    }
  }
}

TEST(MixturesWithMissingCells, OfClassesHaveTheLikelihoodOfWhatIsObserved) {
  Table table = with_missing(read_csv("@iris", {.target = "species"}), 0.2, 4);
  for (std::size_t i = 0; i < 150; i += 10) table.labels[i] = -1;
  for (const Family family : {Family::qda, Family::lda, Family::gnb}) {
    const auto [model, report] =
        fit(table, mda({.components = {1, 2}, .starts = 3}, family), {.unlabelled_weight = 1});
    const auto& p = std::get<MixtureBlock>(model.blocks().front()).parameters();
    double total = 0;
    for (Index i = 0; i < table.rows(); ++i) {
      Vector joint;
      for (Index k = 0; k < 3; ++k) {
        const auto own = [&](Index c) {
          return p.component_class[static_cast<std::size_t>(c)] == k;
        };
        Index first = 0;
        while (!own(first)) ++first;
        Index last = first;
        while (last < std::ssize(p.component_class) && own(last)) ++last;
        joint.push_back(model.prior().log()[static_cast<std::size_t>(k)] +
                        log_mixture(p.components, p.weights, first, last, table.numbers.row(i)));
      }
      const std::int32_t label = table.labels[static_cast<std::size_t>(i)];
      total += label < 0 ? log_sum(joint) : joint[static_cast<std::size_t>(label)];
    }
    EXPECT_NEAR(report.em.value().log_likelihood, total, 1e-8 * 150) << name_of(family);
    EXPECT_EQ(report.unlabelled_rows, 15);
    EXPECT_GT(report.missing_numbers, 60);
    EXPECT_NE(report.outcome, Outcome::iteration_limit);
  }
}

TEST(MixturesWithMissingCells, CountWeightsAsRepetitions) {
  Table table = with_missing(read_csv("@faithful_unlabelled", {.target = Target::none()}), 0.2, 3);
  std::vector<Index> twice = testing::range(0, table.rows());
  Table weighted = table;
  weighted.weights.assign(static_cast<std::size_t>(table.rows()), 1.0);
  for (Index i = 0; i < table.rows(); i += 3) {
    twice.push_back(i);
    weighted.weights[static_cast<std::size_t>(i)] = 2;
  }
  Table repeated = table;
  repeated.numbers = Matrix(std::ssize(twice), 2);
  repeated.row_count = std::ssize(twice);
  repeated.lines.clear();
  for (std::size_t i = 0; i < twice.size(); ++i)
    std::ranges::copy(table.numbers.row(twice[i]),
                      repeated.numbers.row(static_cast<Index>(i)).begin());
  ClusterOptions options;
  options.mixture = {.components = {2, 2}};
  options.covariances = {Family::lda};
  EXPECT_NEAR(cluster(weighted, options).report.em.value().log_likelihood,
              cluster(repeated, options).report.em.value().log_likelihood, 1e-4);
}

TEST(MixturesWithMissingCells, AreThoseOfCompleteRowsIfNothingIsMissing) {
  const Table table = read_csv("@iris", {.target = "species"});
  Table missing_cell = table;
  missing_cell.numbers(0, 0) = std::nan("");
  ClusterOptions options;
  options.mixture = {.components = {2, 2}};
  options.covariances = {Family::qda};
  const double whole = cluster(table, options).report.em.value().log_likelihood;
  const double lacking = cluster(missing_cell, options).report.em.value().log_likelihood;
  EXPECT_LT(std::abs(whole - lacking), 5);
  EXPECT_NE(whole, lacking);
}

}  // namespace
}  // namespace genera::missing_test
