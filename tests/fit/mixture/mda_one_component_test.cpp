// One component in each class is the Gaussian of the plain model, on rows of any kind.
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include <genera/mixture.hpp>

#include "support/mixtures.hpp"
#include "support/problems.hpp"

namespace genera::mda_one_component_test {
namespace {

using testing::error_of;

MixtureOptions exactly(Index components) { return {.components = {components, components}}; }

/// 240 rows of 4 columns in three classes; the function changes the numbers of one row.
using Change = std::function<void(std::span<double> row, int label, Index i)>;
struct Case {
  std::string name;
  Change change;
};

Table table_of(const Case& one) {
  Table table = testing::random_table(240, 4, 3, 5);
  for (Index i = 0; i < 240; ++i)
    one.change(table.numbers.row(i), table.labels[static_cast<std::size_t>(i)], i);
  return table;
}

std::vector<Case> singular_cases() {
  return {
      {"a relation in one class",
       [](auto row, int label, Index) {
         if (label == 1) row[3] = row[0] + row[1];
       }},
      {"a relation in every class", [](auto row, int, Index) { row[3] = row[0] - 2 * row[2]; }},
      {"a relation, means of 1e8",
       [](auto row, int, Index) {
         row[3] = row[0] + row[1];
         for (double& value : row) value += 1e8;
       }},
      {"condition 1e14", [](auto row, int, Index) { row[3] = row[0] + 1e-7 * row[3]; }},
      {"a flag that one class never sets",
       [](auto row, int label, Index i) { row[3] = label == 2 ? 0 : static_cast<double>(i % 2); }},
      {"constant within every class", [](auto row, int label, Index) { row[3] = label; }},
  };
}

std::vector<Case> regular_cases() {
  return {
      {"condition 1e8", [](auto row, int, Index) { row[3] = row[0] + 1e-4 * row[3]; }},
      {"units of 1e-12 and 1e12",
       [](auto row, int, Index) {
         row[0] *= 1e-12;
         row[1] *= 1e12;
       }},
      {"means of 1e8",
       [](auto row, int, Index) {
         for (double& value : row) value += 1e8;
       }},
  };
}

/// As a part of the larger of 1 and the plain value.
double difference(const Matrix& plain, const Matrix& other) {
  double worst = 0;
  for (Index i = 0; i < plain.rows(); ++i) {
    for (Index j = 0; j < plain.columns(); ++j)
      worst = std::max(worst,
                       std::abs(plain(i, j) - other(i, j)) / std::max(1.0, std::abs(plain(i, j))));
  }
  return worst;
}

const std::vector<Recipe>& plain_models() {
  static const std::vector<Recipe> all{qda(),  lda(),       gaussian_naive_bayes(),
                                       dlda(), spherical(), centroid()};
  return all;
}

void expect_same(const Table& table, Recipe plain, const std::string& what) {
  Recipe mixture = plain;
  mixture.mixture = exactly(1);
  const Model expected = fit(table, plain).model, found = fit(table, mixture).model;
  // Where a variance is 1e-8 of the rounded one, distances are known to about 1e-7.
  EXPECT_LT(difference(log_joint(expected, table), log_joint(found, table)), 1e-6)
      << what << ", " << name_of(plain.gaussian);
  EXPECT_EQ(expected.free_parameters().total(), found.free_parameters().total());
}

TEST(OneComponent, IsThePlainModelOfRegularRows) {
  for (const Case& one : regular_cases()) {
    for (const Recipe& recipe : plain_models()) expect_same(table_of(one), recipe, one.name);
  }
}

TEST(OneComponent, IsThePlainModelOfSingularRowsThatAreShrunk) {
  for (const Case& one : singular_cases()) {
    for (Recipe recipe : plain_models()) {
      recipe.gaussian.on_singular = OnSingular::shrink;
      expect_same(table_of(one), recipe, one.name);
    }
  }
}

TEST(OneComponent, IsThePlainModelOfFewRows) {
  Table all = testing::random_table(60, 6, 3, 2);
  std::vector<Index> few;
  std::vector<int> taken(3);
  for (Index i = 0; i < 60; ++i) {
    const auto k = static_cast<std::size_t>(all.labels[static_cast<std::size_t>(i)]);
    if (taken[k]++ < 4 + 3 * static_cast<int>(k)) few.push_back(i);
  }
  for (Recipe recipe : plain_models()) {
    recipe.gaussian.on_singular = OnSingular::shrink;
    expect_same(testing::rows_of(all, few), recipe, "few rows");
  }
}

TEST(OneComponent, IsThePlainModelOfRowsWithMissingNumbers) {
  for (const Case& one : {regular_cases()[0], singular_cases()[0], singular_cases()[1]}) {
    const Table table = testing::with_missing(table_of(one), 0.05, 3);
    for (Recipe recipe : {qda(), lda(), gaussian_naive_bayes()}) {
      recipe.gaussian.on_singular = OnSingular::shrink;
      Recipe mixture = recipe;
      mixture.mixture = exactly(1);
      const double expected = fit(table, recipe).report.em.value().log_likelihood;
      const Model found = fit(table, mixture).model;
      double sum = 0;
      const Matrix joint = log_joint(found, table);
      for (Index i = 0; i < table.rows(); ++i)
        sum += joint(i, table.labels[static_cast<std::size_t>(i)]);
      EXPECT_NEAR(sum, expected, 1e-6 * std::abs(expected))
          << one.name << ", " << name_of(recipe.gaussian);
    }
  }
}

/// The Gaussian of a mixture without labels is that of one class with all rows, up to rounding: its
/// rows are summed in another order, and a condition of 1e8 magnifies that.
TEST(OneComponent, OfAClusterIsThePlainModelOfOneClass) {
  for (const std::vector<Case>& cases : {regular_cases(), singular_cases()}) {
    for (const Case& one : cases) {
      Table table = table_of(one);
      table.target = "class";
      table.classes = {"all"};
      table.labels.assign(240, 0);
      for (Recipe recipe : plain_models()) {
        recipe.gaussian.on_singular = OnSingular::shrink;
        ClusterOptions options{.mixture = exactly(1), .covariances = {recipe.gaussian.covariance}};
        options.on_singular = OnSingular::shrink;
        const Vector expected = log_density(fit(table, recipe).model, table);
        const Vector found = log_density(cluster(table, options).model, table);
        for (std::size_t i = 0; i < expected.size(); ++i)
          ASSERT_NEAR(found[i], expected[i], 1e-6 * std::max(1.0, std::abs(expected[i])))
              << one.name << ", " << name_of(recipe.gaussian);
      }
    }
  }
}

/// It varies there as little as one Gaussian of the class does.
TEST(SeveralComponents, KeepTheVarianceAcrossARelationOfTheClass) {
  const Table table = table_of(singular_cases()[1]);
  Recipe recipe = mda(exactly(2));
  recipe.gaussian.on_singular = OnSingular::shrink;
  const auto [model, report] = fit(table, recipe);
  EXPECT_EQ(report.outcome, Outcome::converged);
  const GaussianBlock components = std::get<MixtureBlock>(model.blocks().front()).components();
  Recipe plain = qda();
  plain.gaussian.on_singular = OnSingular::shrink;
  const Model of_class = fit(table, plain).model;
  const GaussianBlock gaussians = std::get<GaussianBlock>(of_class.blocks().front());
  const Vector across{1, 0, -2, -1};
  const auto variance = [&](const Matrix& s) {
    double sum = 0;
    for (Index i = 0; i < 4; ++i) {
      for (Index j = 0; j < 4; ++j)
        sum += across[static_cast<std::size_t>(i)] * s(i, j) * across[static_cast<std::size_t>(j)];
    }
    return sum;
  };
  for (Index c = 0; c < components.classes(); ++c) {
    const double of_one = variance(gaussians.covariance(c / 2));
    EXPECT_GE(variance(components.covariance(c)), 0.9 * of_one);
    EXPECT_LE(variance(components.covariance(c)), 10 * of_one);
  }
}

TEST(OneComponent, IsRefusedWhereThePlainModelIs) {
  for (const Case& one : singular_cases()) {
    for (const Recipe& recipe : plain_models()) {
      Recipe mixture = recipe;
      mixture.mixture = exactly(1);
      const auto what = [&](const Recipe& tried) {
        const std::string text = error_of([&] { (void)fit(table_of(one), tried); });
        return text.substr(0, text.find(" | "));
      };
      EXPECT_EQ(what(mixture), what(recipe)) << one.name << name_of(recipe.gaussian);
    }
  }
}

TEST(OneComponent, IsRefusedIfCompleteRowsAreSingular) {
  const Table table = testing::with_missing(table_of(singular_cases()[0]), 0.05, 3);
  EXPECT_EQ(error_of([&] { (void)fit(table, mda(exactly(1))); }),
            "class 'c1': the covariance of the complete rows is singular; linearly dependent on "
            "the others: 'x3' (x3 = x0 + x1 + constant) | use covariance = diag, covariance = "
            "spherical or on_singular = shrink");
  for (const Covariance covariance : {Covariance::diag, Covariance::spherical})
    EXPECT_EQ(fit(table, mda(exactly(1), covariance)).model.classes().size(), 3U);
}

}  // namespace
}  // namespace genera::mda_one_component_test
