// Densities of drawn rows without some of their columns, against those of rows with holes.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "blocks/mixture/kind.hpp"
#include "query/generate/draws.hpp"

namespace genera::marginal_draws_test {
namespace {

constexpr Index columns = 24;

Matrix random_covariance(Rng& rng) {
  Matrix root(columns, columns), s(columns, columns);
  for (Index i = 0; i < columns; ++i) {
    for (Index j = 0; j < columns; ++j) root(i, j) = 0.4 * rng.normal();
  }
  for (Index i = 0; i < columns; ++i) {
    for (Index j = 0; j < columns; ++j) {
      s(i, j) = i == j ? 1 : 0;
      for (Index t = 0; t < columns; ++t) s(i, j) += root(i, t) * root(j, t);
    }
  }
  return s;
}

/// Two classes of 2 and 3 components.
Model wide_mixture(Family family) {
  Rng rng(17);
  MixtureParameters p;
  p.components.family = family;
  for (Index j = 0; j < columns; ++j) p.components.columns.push_back("x" + std::to_string(j));
  p.components.means = Matrix(5, columns);
  for (Index c = 0; c < 5; ++c) {
    for (double& mean : p.components.means.row(c)) mean = 100 + 2 * rng.normal();
  }
  for (int c = 0; c < (family == Family::lda ? 1 : 5); ++c)
    p.components.covariances.push_back(random_covariance(rng));
  p.component_class = {0, 0, 1, 1, 1};
  p.weights = {0.25, 0.75, 0.5, 0.375, 0.125};
  return {{"no", "yes"}, Prior({0.25, 0.75}), {MixtureBlock(std::move(p))}};
}

Table without(Table rows, std::span<const Index> missing) {
  for (Index i = 0; i < rows.rows(); ++i) {
    for (const Index j : missing) rows.numbers(i, j) = std::numeric_limits<double>::quiet_NaN();
  }
  return rows;
}

std::unique_ptr<const blocks::MarginalDraws> draws_of(const Model& model, const Table& rows,
                                                      int threads = 1) {
  return blocks::MixtureKind::marginal_draws(std::get<MixtureBlock>(model.blocks().front()),
                                             model.prior(), rows.numbers, threads);
}

TEST(MarginalDraws, HaveTheDensitiesOfRowsWithMissingCells) {
  for (const Family family : {Family::qda, Family::lda}) {
    const Model model = wide_mixture(family);
    const Table rows = query::draw_rows(model, {0, 1100}, Rng(3));
    const auto draws = draws_of(model, rows);
    ASSERT_TRUE(draws);
    for (const std::vector<Index>& missing : {std::vector<Index>{5},
                                              {0, 7, 8, 23},
                                              {1, 2, 3, 4, 5, 6, 20, 21},
                                              {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22}}) {
      const Vector plain = log_density(model, without(rows, missing));
      const Vector found = draws->log_densities(missing, 1);
      ASSERT_EQ(found.size(), plain.size());
      for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_NEAR(found[i], plain[i], 1e-10);
      EXPECT_EQ(draws->log_densities(missing, 3), found);
      EXPECT_EQ(draws_of(model, rows, 3)->log_densities(missing, 1), found);
    }
  }
}

TEST(MarginalDraws, PayWhereFewColumnsAreLeftOut) {
  const Model model = wide_mixture(Family::qda);
  const auto draws = draws_of(model, query::draw_rows(model, {0, 10}, Rng(3)));
  EXPECT_TRUE(draws->pays(12));
  EXPECT_FALSE(draws->pays(13));
}

TEST(MarginalDraws,
     OfManyRowsAreTheSame) {  // more than there is room for all that is known of them
  const Model model = wide_mixture(Family::qda);
  const auto many = draws_of(model, query::draw_rows(model, {0, 145000}, Rng(3)), 2);
  EXPECT_TRUE(many->pays(6));
  EXPECT_FALSE(many->pays(12));
  const Table few = query::draw_rows(model, {0, 100}, Rng(3));
  const std::vector<Index> missing{3, 11, 19};
  const Vector found = many->log_densities(missing, 2);
  const Vector expected = draws_of(model, few)->log_densities(missing, 1);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-10);
}

TEST(MarginalDraws, InvertNoCovarianceThatIsNearlySingular) {
  MixtureParameters p =
      std::get<MixtureBlock>(wide_mixture(Family::lda).blocks().front()).parameters();
  Matrix& s = p.components.covariances.front();
  for (Index j = 1; j < columns; ++j) s(0, j) = s(j, 0) = s(1, j);
  s(0, 0) = s(1, 1) + 1e-6;
  s(0, 1) = s(1, 0) = s(1, 1);
  const Model model({"no", "yes"}, Prior({0.25, 0.75}), {MixtureBlock(std::move(p))});
  EXPECT_FALSE(draws_of(model, query::draw_rows(model, {0, 10}, Rng(3))));
}

TEST(MarginalDraws, MakeTailsOfRowsWithMissingCellsUniform) {
  const Model model = wide_mixture(Family::qda);
  const std::vector<Index> missing{2, 9, 10, 17};
  const Table fresh = without(query::draw_rows(model, {0, 4000}, Rng(99)), missing);
  const Vector tails = OutlierTail(model)(fresh, answers(model, fresh));
  for (const double p : {0.01, 0.1, 0.5, 0.9}) {
    const auto below = std::ranges::count_if(tails, [&](double t) { return t <= p; });
    // Of 4000 rows and 10 000 draws.
    const double deviation = std::sqrt(p * (1 - p) * (1.0 / 4000 + 1.0 / 10000));
    EXPECT_NEAR(static_cast<double>(below) / 4000, p, 5 * deviation);
  }
}

}  // namespace
}  // namespace genera::marginal_draws_test
