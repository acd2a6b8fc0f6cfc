#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include <genera/description.hpp>
#include <genera/fit.hpp>
#include <genera/query.hpp>
#include <genera/random.hpp>

#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

namespace genera::boundaries_test {
namespace {

using testing::error_of;
using testing::random_table;

/// The log odds that a boundary says of numbers.
double sum_of(const Boundary& boundary, std::span<const double> x) {
  double sum = boundary.intercept;
  for (std::size_t j = 0; j < x.size(); ++j) sum += boundary.coefficients[j] * x[j];
  return sum;
}

TEST(Boundaries, AreWhereTheLogJointsAreEqual) {
  const Table table = random_table(200, 3, 4, 5);
  Rng rng(3);
  for (const AnyRecipe& recipe :
       std::vector<AnyRecipe>{lda(), dlda(), centroid(), rda(0, 0.3), logistic({.ridge = 0.5})}) {
    const Classifier model = fit(table, recipe).model;
    const Boundaries found = boundaries(model);
    ASSERT_EQ(found.features, table.number_names());
    ASSERT_EQ(found.pairs.size(), 6U);
    for (const Boundary& one : found.pairs) {
      Matrix x(2, 3);  // any point, and the nearest one of the plane
      double length = 0;
      for (Index j = 0; j < 3; ++j) {
        x(0, j) = 3 * rng.normal();
        length += std::pow(one.coefficients[static_cast<std::size_t>(j)], 2);
      }
      const double sum = sum_of(one, x.row(0));
      for (Index j = 0; j < 3; ++j)
        x(1, j) = x(0, j) - sum / length * one.coefficients[static_cast<std::size_t>(j)];
      const Matrix joint = answers(model, Rows(x)).log_joint;
      EXPECT_NEAR(joint(0, one.first) - joint(0, one.second), sum, 1e-10 * (1 + std::abs(sum)));
      EXPECT_NEAR(joint(1, one.first), joint(1, one.second), 1e-10);
    }
  }
}

TEST(Boundaries, OfTwoClassesAreThoseOfTheFormula) {
  // Sigma = diag(4, 1), means (0, 0) and (2, 1), priors 0.8 and 0.2: by hand
  const Model model({"p", "q"}, Prior({0.8, 0.2}),
                    {GaussianBlock({.structure = Covariance::tied,
                                    .columns = {"x", "y"},
                                    .means = Matrix(2, 2, {0, 0, 2, 1}),
                                    .covariances = {Matrix(2, 2, {4, 0, 0, 1})}})});
  const Boundary found = boundaries(model).pairs.at(0);
  EXPECT_NEAR(found.coefficients[0], -0.5, 1e-15);
  EXPECT_NEAR(found.coefficients[1], -1, 1e-15);
  EXPECT_NEAR(found.intercept, std::log(4) + 1, 1e-15);
  const Boundary cooled = boundaries(model.with_temperature(2)).pairs.at(0);
  EXPECT_NEAR(cooled.coefficients[1], -0.5, 1e-15);
  EXPECT_NEAR(cooled.intercept, std::log(4) + 0.5, 1e-15);
}

TEST(Boundaries, FarFromZeroKeepTheirDirection) {
  Table table = random_table(200, 2, 2, 5);
  const Boundary near = boundaries(fit(table, lda()).model).pairs[0];
  for (Index i = 0; i < table.rows(); ++i) table.numbers(i, 0) += 1e9;
  const Boundary far = boundaries(fit(table, lda()).model).pairs[0];
  // Adding 1e9 rounds the numbers to 1e-7.
  for (std::size_t j = 0; j < 2; ++j)
    EXPECT_NEAR(far.coefficients[j], near.coefficients[j], 1e-6 * std::abs(near.coefficients[j]));
}

/// The features of a row by name: numbers, levels ("a=x": 1), terms.
std::map<std::string, double> features_of(const Table& table, Index row) {
  std::map<std::string, double> values;
  Index number = 0, code = 0;
  for (const Column& column : table.columns) {
    if (column.type == ColumnType::numeric || column.type == ColumnType::count) {
      values[column.name] = table.numbers(row, number++);
    } else if (column.type != ColumnType::text) {
      const auto levels = static_cast<std::size_t>(code);
      const std::int32_t level = table.codes(row, code++);
      if (level >= 0)
        values[column.name + "=" + table.levels[levels][static_cast<std::size_t>(level)]] = 1;
    }
  }
  for (const SparseColumns& sparse : table.sparse) {
    for (Index e = sparse.begins[static_cast<std::size_t>(row)];
         e < sparse.begins[static_cast<std::size_t>(row) + 1]; ++e) {
      const auto place = static_cast<std::size_t>(sparse.places[static_cast<std::size_t>(e)]);
      values[sparse.terms[place]] = sparse.values[static_cast<std::size_t>(e)];
    }
  }
  return values;
}

/// The log odds of every row and pair of classes are the sums over its features.
void expect_sums(const Table& table, const Classifier& model, bool presence = false) {
  const Boundaries found = boundaries(model);
  const Answers right = answers(model, table);
  for (Index i = 0; i < table.rows(); ++i) {
    const std::map<std::string, double> values = features_of(table, i);
    for (const Boundary& one : found.pairs) {
      double sum = one.intercept;
      for (std::size_t j = 0; j < found.features.size(); ++j) {
        const auto value = values.find(found.features[j]);
        if (value == values.end()) continue;
        const bool is_term = value->second > 0 && presence;
        sum += one.coefficients[j] * (is_term ? 1 : value->second);
      }
      EXPECT_NEAR(sum, right.log_joint(i, one.first) - right.log_joint(i, one.second), 1e-9) << i;
    }
  }
}

/// Rows without holes.
std::vector<testing::Cells> whole_rows(Index n, const std::vector<std::size_t>& places) {
  auto rows = testing::cells_at(testing::mixed_rows(n, 11), places);
  std::erase_if(rows, [](const testing::Cells& cells) {
    return std::ranges::any_of(cells, [](const std::string& cell) { return cell.empty(); });
  });
  return rows;
}

TEST(Boundaries, OfMixedTablesAreSumsOverColumnsLevelsAndTerms) {
  const auto& columns = testing::mixed_columns();
  const std::vector<std::size_t> all{0, 1, 2, 3, 4, 5, 6, 7}, naive{0, 1, 2, 3, 5, 6, 7}, words{4};
  const Table mixed = testing::table_of(testing::columns_at(columns, all), whole_rows(150, all));
  expect_sums(mixed, fit(mixed, AnyRecipe(dlda())).model);
  expect_sums(mixed, fit(mixed, AnyRecipe(logistic())).model);
  const Table counts =
      testing::table_of(testing::columns_at(columns, naive), whole_rows(150, naive));
  Recipe with_poisson = lda();
  with_poisson.discrete.counts = CountModel::poisson;
  expect_sums(counts, fit(counts, AnyRecipe(with_poisson)).model);
  const Table text = testing::table_of(testing::columns_at(columns, words), whole_rows(150, words));
  expect_sums(text, fit(text, AnyRecipe(multinomial())).model);
  expect_sums(text, fit(text, AnyRecipe(complement())).model);
  expect_sums(text, fit(text, AnyRecipe(bernoulli())).model, true);
}

TEST(Boundaries, ThatAreNotPlanesAreRefused) {
  const Table table = random_table(60, 2, 2, 5);
  const auto refusal = [&](const AnyRecipe& recipe) {
    return error_of([&] { (void)boundaries(fit(table, recipe).model); });
  };
  const std::string remedy = " | learn it with model = lda, model = dlda or model = logistic";
  EXPECT_EQ(refusal(qda()),
            "the boundaries of this model are not linear: it has a full covariance "
            "of its own for each class" +
                remedy);
  EXPECT_EQ(refusal(logistic({.terms = LogisticTerms::squares})),
            "the boundaries of this model are not linear: it has squares of columns" + remedy);
  for (const Recipe& recipe : {gaussian_naive_bayes(), spherical(), rda(0.5, 0)})
    EXPECT_EQ(refusal(recipe).find("the boundaries of this model are not linear"), 0U);
  const Table one = random_table(20, 2, 1, 5);
  EXPECT_EQ(error_of([&] { (void)boundaries(fit(one, lda()).model); }),
            "a model of one class has no boundaries | learn it from rows of several classes");
  const Model impossible({"p", "q"}, Prior({0.5, 0.5}),
                         {CategoricalBlock({.columns = {"c"},
                                            .levels = {{"x", "y"}},
                                            .probabilities = {Matrix(2, 2, {1, 0, 0.5, 0.5})}})});
  EXPECT_EQ(error_of([&] { (void)boundaries(impossible); }),
            "class 'p' has a probability of 0: its boundaries are not planes | learn the model "
            "with a smoothing greater than 0, and no prior of 0");
}

}  // namespace
}  // namespace genera::boundaries_test
