#include <genera/eigen.hpp>

#include <gtest/gtest.h>

#include <genera/fit.hpp>
#include <genera/query.hpp>

#include "support/problems.hpp"

namespace genera::eigen_test {
namespace {

TEST(Eigen, MatricesOfAnyOrderAndTypeAreViewedInPlace) {
  const Table table = testing::random_table(60, 3, 2, 1);
  const Model model = fit(table, lda()).model;
  const Eigen::MatrixXd by_columns = map(table.numbers);
  const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> floats =
      by_columns.cast<float>();
  EXPECT_EQ(posterior(model, view(by_columns)), posterior(model, table));
  EXPECT_EQ(posterior(model, view(floats)), posterior(model, to_matrix(floats)));
  EXPECT_NEAR(map(posterior(model, table)).rowwise().sum().minCoeff(), 1, 1e-14);
}

}  // namespace
}  // namespace genera::eigen_test
