// Rows so far out that log densities have no digits left to compare: relative scores still do.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "support/problems.hpp"

namespace genera::far_rows_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Model two_classes(GaussianParameters p) {
  return {{"a", "b"}, Prior::uniform(2), {GaussianBlock(std::move(p))}};
}

/// Means (0, 0, ...) and (1, 0, ...), unit covariances that the classes share.
GaussianParameters shared_variances(Index d) {
  GaussianParameters p;
  p.structure = Covariance::tied_diag;
  for (Index j = 0; j < d; ++j) p.columns.push_back("x" + std::to_string(j));
  p.means = Matrix(2, d);
  p.means(1, 0) = 1;
  p.variances = Matrix(1, d, 1.0);
  return p;
}

GaussianParameters shared_covariance(Index d) {
  GaussianParameters p = shared_variances(d);
  p.structure = Covariance::tied;
  p.variances = {};
  p.covariances = {Matrix(d, d)};
  for (Index j = 0; j < d; ++j) p.covariances.front()(j, j) = 1;
  return p;
}

GaussianParameters own_covariances(Index d) {
  GaussianParameters p = shared_covariance(d);
  p.structure = Covariance::full;
  p.covariances.push_back(p.covariances.front());
  return p;
}

/// By hand: the log-odds of a are 1/2 - x0, whatever the other columns hold.
const double expected = 1 / (1 + std::exp(-0.3));

TEST(FarRows, KeepTheirPosteriorUnderSharedVariances) {
  const Model model = two_classes(shared_variances(2));
  for (const double y : {0.0, 1e3, 1e8, 1e12, -1e12})
    EXPECT_NEAR(posterior(model, Matrix(1, 2, {0.2, y}))(0, 0), expected, 1e-12) << y;
}

TEST(FarRows, KeepTheirPosteriorWithAMissingNumber) {
  for (const GaussianParameters& p : {shared_variances(3), shared_covariance(3)}) {
    const Model model = two_classes(p);
    for (const double y : {0.0, 1e3, 1e8, 1e12}) {
      const Matrix row(1, 3, {0.2, y, nan});
      EXPECT_NEAR(posterior(model, row)(0, 0), expected, 1e-12) << y;
      Vector p_of_one(2);
      EXPECT_EQ(Predictor(model).predict(row.row(0), p_of_one), 0);
      EXPECT_EQ(p_of_one[0], posterior(model, row)(0, 0));
    }
  }
}

/// As many digits as their posteriors have.
TEST(FarRows, HaveALogLossUnderSharedCovariances) {
  for (const GaussianParameters& p : {shared_variances(2), shared_covariance(2)}) {
    const Model model = two_classes(p);
    for (const double y : {0.0, 1e8, 1e12}) {
      const Table row = make_table(p.columns, Matrix(1, 2, {0.2, y}), {"a"});
      EXPECT_NEAR(evaluate(model, row).log_loss(), -std::log(expected), 1e-12) << y;
      EXPECT_NEAR(evaluate(model.with_temperature(2), row).log_loss(), std::log1p(std::exp(-0.15)),
                  1e-12);
    }
  }
}

/// The first row is judged by those of the other fold, whose second column has the same mean in
/// both classes.
TEST(FarRows, HaveALogLossWhenTheyAreHeldOut) {
  const Table table =
      make_table({"x", "y"}, Matrix(12, 2, {0.2, 1e12, 0,  1, 1, 1,  2, 0,    // fold 0
                                            -1,  -1,   -1, 1, 1, -1, 1, 1,    // a
                                            0,   -1,   0,  1, 2, -1, 2, 1}),  // b
                 {"a", "a", "b", "b", "a", "a", "a", "a", "b", "b", "b", "b"});
  const Folds folds{.count = 2, .of = {0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}};
  const Selection found = cross_validate(table, {{"dlda", dlda(), {}}}, folds);
  ASSERT_TRUE(found.candidates[0].usable) << found.candidates[0].why_not;
  EXPECT_NEAR(found.candidates[0].losses[0], -std::log(expected), 1e-12);  // means 0 and 1
}

/// Distances that overflow are infinite, not NaN, with a missing number as without.
TEST(FarRows, BeyondAllNumbersHaveDensityZero) {
  for (const GaussianParameters& p :
       {shared_variances(3), shared_covariance(3), own_covariances(3)}) {
    const Model model = two_classes(p);
    const Table rows = make_table(p.columns, Matrix(2, 3, {1e200, -1e200, nan, 1e200, -1e200, 0}));
    const Answers a = answers(model, rows);
    const OutlierTail tail(model);
    for (Index i = 0; i < 2; ++i) {
      EXPECT_EQ(a.log_density[static_cast<std::size_t>(i)], -infinity);
      if (!p.covariances.empty()) {
        EXPECT_EQ(tail(rows, a)[static_cast<std::size_t>(i)], 0);
      }
    }
    EXPECT_EQ(a.impossible, p.structure == Covariance::full ? 2 : 0);
  }
}

/// The log-odds are linear in the row: they overflow much later than the distances.
TEST(FarRows, BeyondAllNumbersAreComparedUnderSharedCovariances) {
  for (const GaussianParameters& p : {shared_variances(3), shared_covariance(3)}) {
    const Model model = two_classes(p);
    for (const double y : {0.0, nan}) {
      for (const double x : {1e154, 1e200, 1e300}) {
        const Matrix rows(2, 3, {x, -x, y, -x, x, y});
        EXPECT_EQ(posterior(model, rows)(0, 1), 1) << x;
        EXPECT_EQ(posterior(model, rows)(1, 0), 1) << x;
        EXPECT_EQ(predict(model, rows), (std::vector<std::int32_t>{1, 0})) << x;
        EXPECT_EQ(Predictor(model).predict(rows.row(0), {}), 1) << x;
      }
    }
  }
}

TEST(FarRows, ThatCannotBeComparedAreRefused) {
  const Model model = two_classes(own_covariances(2));
  const Matrix rows(3, 2, {0, 1, 1e150, 1e150, 1, -1e200});
  const std::string refusal =
      "row 3: 'x1' is -1e+200, too large to compare the classes | replace the value";
  EXPECT_EQ(testing::error_of([&] { (void)posterior(model, rows); }), refusal);
  EXPECT_EQ(testing::error_of([&] { (void)log_posterior(model, rows); }), refusal);
  EXPECT_EQ(testing::error_of([&] { (void)predict(model, rows); }), refusal);
  Matrix remedied = rows;
  remedied(2, 1) = nan;
  EXPECT_EQ(posterior(model, remedied).rows(), 3);
}

}  // namespace
}  // namespace genera::far_rows_test
