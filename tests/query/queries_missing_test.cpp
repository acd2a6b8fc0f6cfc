#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <genera/fit.hpp>
#include <genera/predictor.hpp>
#include <genera/query.hpp>

#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

namespace genera::missing_test {
namespace {

using testing::largest_difference;
using testing::mixed_table;
using testing::random_table;
using testing::table_of;
using testing::whole_family;
using testing::with_missing;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::vector<Index> observed_in(const Table& table, Index row) {
  std::vector<Index> columns;
  for (Index j = 0; j < table.numbers.columns(); ++j) {
    if (!std::isnan(table.numbers(row, j))) columns.push_back(j);
  }
  return columns;
}

Matrix part_of(const Matrix& whole, const std::vector<Index>& columns, bool both) {
  const auto d = static_cast<Index>(columns.size());
  Matrix part(both ? d : whole.rows(), d);
  for (Index i = 0; i < part.rows(); ++i) {
    for (Index j = 0; j < d; ++j)
      part(i, j) = whole(both ? columns[static_cast<std::size_t>(i)] : i,
                         columns[static_cast<std::size_t>(j)]);
  }
  return part;
}

/// The model of some columns alone: its means and covariances without the others.
Model marginal(const Model& model, const std::vector<Index>& columns) {
  GaussianParameters p = std::get<GaussianBlock>(model.blocks().front()).parameters();
  std::vector<std::string> names;
  for (const Index j : columns) names.push_back(p.columns[static_cast<std::size_t>(j)]);
  p.columns = names;
  p.means = part_of(p.means, columns, false);
  for (Matrix& covariance : p.covariances) covariance = part_of(covariance, columns, true);
  if (!p.variances.empty()) p.variances = part_of(p.variances, columns, false);
  p.family = p.family == Family::spherical  ? Family::gnb
             : p.family == Family::centroid ? Family::dlda
                                            : p.family;
  return {model.classes(), model.prior(), {GaussianBlock(p)}, model.target(), {}};
}

class RowsWithMissingCells : public ::testing::TestWithParam<std::size_t> {
 protected:
  Table table = random_table(150, 5, 3, 1);
  Model model = fit(table, whole_family()[GetParam()]).model;
  Table missing = with_missing(table, 0.3, 5);
};
INSTANTIATE_TEST_SUITE_P(Missing, RowsWithMissingCells, ::testing::Range<std::size_t>(0, 7));

TEST_P(RowsWithMissingCells, AreAnsweredByTheModelOfTheColumnsObserved) {
  const Answers said = answers(model, missing);
  for (Index i = 0; i < missing.rows(); ++i) {
    const std::vector<Index> columns = observed_in(missing, i);
    if (columns.empty()) continue;
    const Model part = marginal(model, columns);
    Matrix row(1, static_cast<Index>(columns.size()));
    for (std::size_t j = 0; j < columns.size(); ++j)
      row(0, static_cast<Index>(j)) = missing.numbers(i, columns[j]);
    const Matrix joint = log_joint(part, row), p = posterior(part, row),
                 d2 = mahalanobis(part, row);
    for (Index k = 0; k < 3; ++k) {
      EXPECT_NEAR(said.log_joint(i, k), joint(0, k), 1e-10 * (1 + std::abs(joint(0, k))));
      EXPECT_NEAR(said.posterior(i, k), p(0, k), 1e-10);
      EXPECT_NEAR(said.distances(i, k), d2(0, k), 1e-10 * (1 + d2(0, k)));
    }
  }
}

TEST_P(RowsWithMissingCells, ChangeNoBitOfOtherRowsAndHaveTheSameBitsAloneAndOnManyThreads) {
  const Matrix joint = log_joint(model, missing), whole = log_joint(model, table);
  EXPECT_EQ(log_joint(model, missing, {.threads = 3}), joint);
  Predictor predictor(model);
  Index complete = 0;
  for (Index i = 0; i < missing.rows(); ++i) {
    const auto row = missing.numbers.row(i);
    const auto answer = posterior(model, Matrix(1, 5, Vector(row.begin(), row.end())));
    Vector p(3);
    (void)predictor.predict(row, p);
    EXPECT_EQ(Vector(answer.row(0).begin(), answer.row(0).end()), p);
    if (observed_in(missing, i).size() < 5) continue;
    ++complete;
    for (Index k = 0; k < 3; ++k) EXPECT_EQ(joint(i, k), whole(i, k));
  }
  EXPECT_GT(complete, 5);
}

TEST_P(RowsWithMissingCells, EverywhereGiveThePrior) {
  Table none = table;
  for (Index j = 0; j < 5; ++j) none.numbers(7, j) = nan;
  const Answers said = answers(model, none);
  for (Index k = 0; k < 3; ++k) {
    EXPECT_NEAR(said.posterior(7, k), model.prior().probabilities()[static_cast<std::size_t>(k)],
                1e-15);
    EXPECT_EQ(said.distances(7, k), 0);
  }
  EXPECT_NEAR(said.log_density[7], 0, 1e-15);
  EXPECT_EQ(said.missing, (MissingCells{1, 5}));
  EXPECT_EQ(OutlierTail(model)(none, said)[7], 1);
}

TEST(MissingNumbers, AreCountedWithOtherMissingCells) {
  Table table = mixed_table(80, 3);
  const Model model = fit(table, lda()).model;
  const MissingCells before = answers(model, table).missing;
  table.numbers(4, 0) = table.numbers(4, 1) = nan;
  const Answers said = answers(model, table);
  EXPECT_EQ(said.missing.cells, before.cells + 2);
  EXPECT_EQ(decide(model, table).missing, said.missing);
}

TEST(MissingCounts, LeaveTheOthersGivenTheirSum) {  // (x1, x3 | x1 + x3) is binomial
  const Table table =
      table_of({{"a", ColumnType::count}, {"b", ColumnType::count}, {"c", ColumnType::count}},
               {{"3", "1", "2", "k"}, {"1", "4", "1", "l"}, {"2", "2", "0", "k"}});
  const Model model = fit(table, multinomial()).model;
  const Matrix& p = std::get<CountBlock>(model.blocks().front()).parameters().probabilities;
  const Matrix joint = log_joint(model, Matrix(1, 3, {2, nan, 1}));
  for (Index k = 0; k < 2; ++k) {
    const double a = p(k, 0) / (p(k, 0) + p(k, 2));
    EXPECT_NEAR(joint(0, k),
                model.prior().log()[static_cast<std::size_t>(k)] + std::log(3 * a * a * (1 - a)),
                1e-12);
  }
  const Matrix nothing = posterior(model, Matrix(1, 3, {nan, nan, nan}));
  EXPECT_NEAR(nothing(0, 0), model.prior().probabilities()[0], 1e-15);
}

TEST(MissingTail, OfAFullCovarianceHasTheLawOfTheColumnsObserved) {
  const Table table = random_table(60, 4, 2, 8);
  for (const Recipe& recipe : {qda(), lda()}) {
    const Model model = fit(table, recipe).model;
    Table missing = table;
    for (Index i = 0; i < missing.rows(); ++i) missing.numbers(i, 2) = nan;
    const Vector tails = OutlierTail(model)(missing, answers(model, missing));
    const Model part = marginal(model, {0, 1, 3});
    Matrix rows(60, 3);
    for (Index i = 0; i < 60; ++i) {
      rows(i, 0) = table.numbers(i, 0);
      rows(i, 1) = table.numbers(i, 1);
      rows(i, 2) = table.numbers(i, 3);
    }
    const Vector expected = OutlierTail(part)(mahalanobis(part, rows), log_density(part, rows));
    for (std::size_t i = 0; i < tails.size(); ++i) EXPECT_NEAR(tails[i], expected[i], 1e-10);
  }
}

TEST(MissingTail, ByMonteCarloIsThatOfRowsThatLackTheSame) {
  const Table table = random_table(60, 4, 2, 8);
  const Model model = fit(table, gaussian_naive_bayes()).model;
  Table missing = table;
  for (Index i = 0; i < missing.rows(); i += 2) missing.numbers(i, 2) = nan;
  const Vector tails = OutlierTail(model)(missing, answers(model, missing));
  const Vector complete = OutlierTail(model)(mahalanobis(model, table), log_density(model, table));
  const Model part = marginal(model, {0, 1, 3});
  const OutlierTail of_part(part);
  for (Index i = 0; i < 60; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (i % 2 == 1) {
      EXPECT_EQ(tails[at], complete[at]);
      continue;
    }
    const Matrix row(1, 3, {table.numbers(i, 0), table.numbers(i, 1), table.numbers(i, 3)});
    const double expected = of_part(mahalanobis(part, row), log_density(part, row))[0];
    EXPECT_NEAR(tails[at], expected, 4 * std::sqrt(expected / 1e4) + 1e-3);
  }
}

}  // namespace
}  // namespace genera::missing_test
