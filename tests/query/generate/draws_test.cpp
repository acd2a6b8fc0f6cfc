#include "query/generate/draws.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include <genera/fit.hpp>
#include <genera/query.hpp>

#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

namespace genera::draws_test {
namespace {

using query::draw_rows;
using testing::Cells;
using testing::error_of;
using testing::mixed_table;
using testing::table_of;

constexpr Index many = 20000;

/// Five standard deviations of a share of n.
double tolerance(double p, double n) { return 5 * std::sqrt(p * (1 - p) / n) + 1e-12; }

Recipe recipe_of(bool joint, CountModel counts = CountModel::multinomial, double smoothing = 1) {
  Recipe recipe = qda();
  recipe.discrete = {.smoothing = smoothing, .counts = counts, .joint = joint};
  return recipe;
}

Index rows_of_class(const Table& drawn, std::size_t k) {
  return std::count(drawn.labels.begin(), drawn.labels.end(), static_cast<std::int32_t>(k));
}

/// How often the coded columns take exactly these levels in a class; -1: any.
double share(const Table& drawn, std::size_t k, const std::vector<std::int32_t>& levels) {
  double hits = 0;
  for (Index i = 0; i < drawn.rows(); ++i) {
    if (drawn.labels[static_cast<std::size_t>(i)] != static_cast<std::int32_t>(k)) continue;
    bool same = true;
    for (std::size_t j = 0; j < levels.size(); ++j)
      same = same && (levels[j] < 0 || drawn.codes(i, static_cast<Index>(j)) == levels[j]);
    hits += same;
  }
  return hits / static_cast<double>(rows_of_class(drawn, k));
}

/// Sums over the rows of a class: of the entries of each term, and of the rows that have it.
struct TermMeans {
  Vector sums, present;
};

TermMeans term_means(const Table& drawn, std::size_t k) {
  const SparseColumns& sparse = drawn.sparse.at(0);
  TermMeans means{Vector(sparse.terms.size()), Vector(sparse.terms.size())};
  const auto n = static_cast<double>(rows_of_class(drawn, k));
  for (std::size_t i = 0; i + 1 < sparse.begins.size(); ++i) {
    if (drawn.labels[i] != static_cast<std::int32_t>(k)) continue;
    for (auto e = static_cast<std::size_t>(sparse.begins[i]);
         e < static_cast<std::size_t>(sparse.begins[i + 1]); ++e) {
      means.sums[static_cast<std::size_t>(sparse.places[e])] += sparse.values[e] / n;
      means.present[static_cast<std::size_t>(sparse.places[e])] += 1 / n;
    }
  }
  return means;
}

TEST(Draws, FallToTheClassesByThePrior) {
  const Model model =
      fit(mixed_table(50, 1), recipe_of(false)).model.with_prior(Prior({0.7, 0, 0.3}));
  const Table drawn = draw_rows(model, {0, many}, Rng(1));
  EXPECT_EQ(rows_of_class(drawn, 1), 0);
  EXPECT_NEAR(static_cast<double>(rows_of_class(drawn, 0)) / many, 0.7, tolerance(0.7, many));
}

TEST(Draws, HaveTheFrequenciesOfNaiveCategories) {
  const Model model = fit(mixed_table(60, 2), recipe_of(false)).model;
  const Table drawn = draw_rows(model, {0, many}, Rng(2));
  std::size_t column = 0;
  for (const Block& block : model.blocks()) {
    const auto* levels = std::get_if<CategoricalBlock>(&block);
    for (std::size_t j = 0; levels && j < levels->parameters().columns.size(); ++j, ++column) {
      EXPECT_EQ(drawn.levels[column], levels->parameters().levels[j]);
      for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t v = 0; v < drawn.levels[column].size(); ++v) {
          const double p =
              levels->parameters().probabilities[j](static_cast<Index>(k), static_cast<Index>(v));
          std::vector<std::int32_t> asked(column + 1, -1);
          asked.back() = static_cast<std::int32_t>(v);
          EXPECT_NEAR(share(drawn, k, asked), p,
                      tolerance(p, static_cast<double>(rows_of_class(drawn, k))));
        }
      }
    }
  }
  EXPECT_EQ(column, 3U);
}

TEST(Draws, HaveTheFrequenciesOfJointCells) {
  const Model model = fit(mixed_table(60, 3), recipe_of(true, CountModel::multinomial, 0.1)).model;
  const Table drawn = draw_rows(model, {0, many}, Rng(3));
  const auto& p = std::get<JointBlock>(model.blocks().at(1)).parameters();
  ASSERT_EQ(p.columns.size(), 3U);
  Index cell = 0;
  for (std::int32_t a = 0; a < std::ssize(p.levels[0]); ++a) {
    for (std::int32_t b = 0; b < std::ssize(p.levels[1]); ++b) {
      for (std::int32_t c = 0; c < std::ssize(p.levels[2]); ++c, ++cell) {
        for (std::size_t k = 0; k < 3; ++k) {
          const double expected = p.probabilities(static_cast<Index>(k), cell);
          EXPECT_NEAR(share(drawn, k, {a, b, c}), expected,
                      tolerance(expected, static_cast<double>(rows_of_class(drawn, k))));
        }
      }
    }
  }
}

TEST(Draws, HaveTheMeansOfMultinomialCounts) {
  const Model model = fit(mixed_table(60, 4), recipe_of(false)).model;
  const Table drawn = draw_rows(model, {0, many}, Rng(4));
  const auto& text = std::get<CountBlock>(model.blocks().back()).parameters();
  const auto& hits = std::get<CountBlock>(model.blocks().at(3)).parameters();
  EXPECT_EQ(drawn.sparse.at(0).name, "words");
  for (std::size_t k = 0; k < 3; ++k) {
    const auto row = static_cast<Index>(k);
    const double length = std::round(text.lengths[k]);
    const auto n = static_cast<double>(rows_of_class(drawn, k));
    const TermMeans means = term_means(drawn, k);
    for (std::size_t j = 0; j < text.terms.size(); ++j) {
      const double p = text.probabilities(row, static_cast<Index>(j));
      EXPECT_NEAR(means.sums[j], length * p, length * tolerance(p, n * length));
      const double present = 1 - std::pow(1 - p, length);
      EXPECT_NEAR(means.present[j], present, tolerance(present, n));
    }
    double sum = 0;
    for (Index i = 0; i < drawn.rows(); ++i) {
      if (drawn.labels[static_cast<std::size_t>(i)] == static_cast<std::int32_t>(k)) {
        sum += drawn.numbers(i, 2);  // behind x and y of the Gaussian block
        EXPECT_EQ(drawn.numbers(i, 2) + drawn.numbers(i, 3), std::round(hits.lengths[k]));
      }
    }
    const double p = hits.probabilities(row, 0);
    EXPECT_NEAR(sum / n, std::round(hits.lengths[k]) * p, 10 * tolerance(p, n));
  }
}

TEST(Draws, HaveTheFrequenciesOfWords) {
  CountParameters p{.kind = CountParameters::Kind::bernoulli, .text = "t"};
  for (int j = 0; j < 40; ++j) p.terms.push_back("w" + std::to_string(j));
  p.probabilities = Matrix(1, 40);  // rare and frequent, certain and impossible
  for (Index j = 0; j < 40; ++j) p.probabilities(0, j) = std::pow(0.7, static_cast<double>(j));
  p.probabilities(0, 3) = 1;
  p.probabilities(0, 5) = 0;
  const Table drawn = draw_rows(Model({"k"}, Prior({1}), {CountBlock(p)}), {0, many}, Rng(5));
  const TermMeans means = term_means(drawn, 0);
  EXPECT_EQ(means.sums, means.present);
  for (std::size_t j = 0; j < 40; ++j) {
    const double expected = p.probabilities(0, static_cast<Index>(j));
    EXPECT_NEAR(means.present[j], expected, tolerance(expected, many) + 1e-9) << j;
  }
  EXPECT_EQ(means.present[5], 0);
}

TEST(Draws, HaveTheMomentsOfTheGaussianBlockBesideOthers) {
  const Model model = fit(mixed_table(60, 5), recipe_of(true)).model;
  const Table drawn = draw_rows(model, {0, many}, Rng(6));
  const auto& block = std::get<GaussianBlock>(model.blocks().front());
  for (std::size_t k = 0; k < 3; ++k) {
    const auto n = static_cast<double>(rows_of_class(drawn, k));
    for (Index j = 0; j < 2; ++j) {
      double sum = 0;
      for (Index i = 0; i < many; ++i) {
        if (drawn.labels[static_cast<std::size_t>(i)] == static_cast<std::int32_t>(k))
          sum += drawn.numbers(i, j);
      }
      const auto row = static_cast<Index>(k);
      EXPECT_NEAR(sum / n, block.parameters().means(row, j),
                  5 * std::sqrt(block.covariance(row)(j, j) / n));
    }
  }
}

void expect_same(const Table& a, const Table& b) {
  EXPECT_EQ(a.columns, b.columns);
  EXPECT_EQ(a.numbers, b.numbers);
  EXPECT_EQ(a.codes, b.codes);
  EXPECT_EQ(a.levels, b.levels);
  EXPECT_EQ(a.labels, b.labels);
  ASSERT_EQ(a.sparse.size(), b.sparse.size());
  for (std::size_t s = 0; s < a.sparse.size(); ++s) {
    EXPECT_EQ(a.sparse[s].begins, b.sparse[s].begins);
    EXPECT_EQ(a.sparse[s].places, b.sparse[s].places);
    EXPECT_EQ(a.sparse[s].values, b.sparse[s].values);
  }
}

TEST(Draws, AreTheSameForAnyNumberOfThreads) {
  for (const CountModel kind : {CountModel::multinomial, CountModel::bernoulli}) {
    for (const bool joint : {false, true}) {
      const Model model = fit(mixed_table(40, 6), recipe_of(joint, kind)).model;
      const Table one = draw_rows(model, {0, 2000}, Rng(7));
      for (const int threads : {2, 5})
        expect_same(draw_rows(model, {0, 2000}, Rng(7), {.threads = threads}), one);
    }
  }
}

TEST(Draws, OfARowDependOnItsNumberAlone) {
  const Model model = fit(mixed_table(40, 6), recipe_of(false)).model;
  const Table all = draw_rows(model, {0, 1000}, Rng(8));
  const Table some = draw_rows(model, {700, 750}, Rng(8));
  const Matrix expected = log_joint(model, all), found = log_joint(model, some);
  for (Index i = 0; i < 50; ++i) {
    EXPECT_EQ(some.labels[static_cast<std::size_t>(i)],
              all.labels[static_cast<std::size_t>(700 + i)]);
    EXPECT_TRUE(
        std::equal(found.row(i).begin(), found.row(i).end(), expected.row(700 + i).begin()));
  }
}

TEST(Draws, ArePossible) {
  for (const CountModel kind : {CountModel::multinomial, CountModel::bernoulli}) {
    const Model model = fit(mixed_table(40, 7), recipe_of(true, kind, 0)).model;
    EXPECT_EQ(answers(model, draw_rows(model, {0, 5000}, Rng(9))).impossible, 0);
  }
}

TEST(Draws, OfTheModelOfDrawsAreLikeThose) {  // fit and draw are inverse to each other
  const Model model = fit(mixed_table(200, 8), recipe_of(false)).model;
  const Model again = fit(draw_rows(model, {0, many}, Rng(10)), recipe_of(false)).model;
  const Table asked = mixed_table(50, 9);
  EXPECT_LT(testing::largest_difference(posterior(again, asked), posterior(model, asked)), 0.15);
}

}  // namespace
}  // namespace genera::draws_test
