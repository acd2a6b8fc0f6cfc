#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <genera/canonical.hpp>
#include <genera/description.hpp>
#include <genera/diagnosis.hpp>
#include <genera/fit.hpp>
#include <genera/impute.hpp>
#include <genera/stats.hpp>

#include "support/problems.hpp"

namespace genera::canonical_test {
namespace {

using testing::error_of;
using testing::random_table;

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

/// Of lda with the divisor n - K, whose priors are the shares of the rows.
TEST(CanonicalAxes, AreTheVariatesOfTheDiagnosis) {
  const Table table = random_table(200, 4, 3, 1);
  Recipe recipe = lda();
  recipe.gaussian.divisor = Divisor::unbiased;
  const Model model = fit(table, recipe).model;
  const CanonicalAxes axes = canonical_axes(model);
  const Diagnosis diagnosis = diagnose(collect(table).statistics);
  ASSERT_EQ(axes.coefficients.rows(), 2);
  ASSERT_EQ(diagnosis.variates.size(), 2u);
  EXPECT_EQ(axes.columns, diagnosis.columns);
  for (std::size_t a = 0; a < 2; ++a) {
    EXPECT_NEAR(axes.proportions[a], diagnosis.variates[a].proportion, 1e-12);
    for (std::size_t j = 0; j < 4; ++j)
      EXPECT_NEAR(axes.coefficients(static_cast<Index>(a), static_cast<Index>(j)),
                  diagnosis.variates[a].coefficients[j], 1e-11);
  }
}

/// Whatever the covariances: uncorrelated within classes and between their means.
TEST(CanonicalAxes, MakeBothCovariancesDiagonal) {
  const Table table = random_table(300, 5, 4, 2);
  for (const Recipe& recipe : testing::whole_family()) {
    const Model model = fit(table, recipe).model;
    const CanonicalAxes axes = canonical_axes(model);
    const MarginalMoments moments = marginal_moments(model).value();
    for (Index a = 0; a < axes.coefficients.rows(); ++a) {
      for (Index b = 0; b < axes.coefficients.rows(); ++b) {
        double within = 0, total = 0;
        for (Index i = 0; i < 5; ++i) {
          within += axes.coefficients(a, i) * dot(moments.within.row(i), axes.coefficients.row(b));
          total +=
              axes.coefficients(a, i) * dot(moments.covariance.row(i), axes.coefficients.row(b));
        }
        EXPECT_NEAR(within, a == b ? 1 : 0, 1e-10);
        if (a != b) {
          EXPECT_NEAR(total, 0, 1e-10);
        }
      }
    }
  }
}

TEST(CanonicalVariates, AreDistancesFromTheCentre) {
  const Table table = random_table(60, 3, 3, 3);
  const Model model = fit(table, lda()).model;
  const CanonicalAxes axes = canonical_axes(model);
  const Matrix found = canonical_variates(model, table);
  const Matrix by_position = canonical_variates(model, table.numbers);
  EXPECT_EQ(found, by_position);
  for (Index i = 0; i < found.rows(); ++i) {
    for (Index a = 0; a < found.columns(); ++a)
      EXPECT_NEAR(found(i, a),
                  dot(axes.coefficients.row(a), table.numbers.row(i)) -
                      dot(axes.coefficients.row(a), axes.centre),
                  1e-10);
  }
}

/// And the label, which the table has, is no help.
TEST(CanonicalVariates, AreExpectedWhereCellsAreMissing) {
  const Table table = random_table(60, 3, 3, 4);
  const Model model = fit(table, lda()).model;
  Table missing = table;
  missing.numbers(5, 1) = std::nan("");
  Table unlabelled = missing;
  unlabelled.labels.clear();
  unlabelled.classes.clear();
  unlabelled.target.clear();
  const Matrix expected = canonical_variates(model, impute(model, unlabelled).table);
  EXPECT_LT(testing::largest_difference(canonical_variates(model, missing), expected), 1e-12);
}

TEST(CanonicalVariates, RefuseWhatTheyCannotBeMadeOf) {
  Table table = random_table(60, 3, 3, 5);
  const Model model = fit(table, lda()).model;
  table.numbers(7, 0) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(error_of([&] { (void)canonical_variates(model, table); }),
            "row 8: a number is infinite, or too large | replace the value");
  const Table one = random_table(20, 2, 1, 6);
  for (const Index columns : {2, 4})
    EXPECT_EQ(error_of([&] { (void)canonical_variates(model, Matrix(2, columns)); }),
              "the rows have " + std::to_string(columns) +
                  " columns, the model has 3 features | give the features of the model, in its "
                  "order");
  EXPECT_EQ(error_of([&] { (void)canonical_axes(fit(one, lda()).model); }),
            "there is only one class, and variates tell classes apart | learn from rows of two "
            "classes or more");
}

}  // namespace
}  // namespace genera::canonical_test
