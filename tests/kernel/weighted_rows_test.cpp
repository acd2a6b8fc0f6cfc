#include <vector>

#include <gtest/gtest.h>

#include <genera/random.hpp>

#include "kernel/weighted_rows.hpp"

namespace genera::weighted_rows_test {
namespace {

/// For any number of columns, whatever the machine adds at once, and more rows than are kept.
TEST(WeightedRows, HaveTheBitsOfThePlainLoop) {
  Rng rng(1);
  for (Index width = 1; width <= 70; ++width) {
    constexpr Index rows = 40;
    Matrix table(rows, width);
    for (Index i = 0; i < rows; ++i)
      for (double& value : table.row(i)) value = rng.normal();
    Vector sums(static_cast<std::size_t>(width), 0.25), plain = sums;
    kernel::WeightedRows adding(table.data(), width, sums.data());
    for (Index e = 0; e < 150; ++e) {
      const Index row = (e * 17) % rows;
      const double factor = rng.normal();
      adding.add(row, factor);
      for (std::size_t k = 0; k < plain.size(); ++k) {
        const volatile double product = factor * table.row(row)[k];  // rounded
        plain[k] += product;
      }
    }
    adding.finish();
    EXPECT_EQ(sums, plain) << width << " columns";
  }
}

TEST(WeightedRows, AddNothingTwice) {
  const Matrix table(1, 2, {1.0, 2.0});
  Vector sums(2);
  kernel::WeightedRows adding(table.data(), 2, sums.data());
  adding.add(0, 3);
  adding.finish();
  adding.finish();
  EXPECT_EQ(sums, (Vector{3, 6}));
}

TEST(RowsToAdd, HaveTheBitsOfThePlainLoop) {
  Rng rng(1);
  for (Index width = 1; width <= 40; ++width) {
    const auto d = static_cast<std::size_t>(width);
    Matrix table(30, width), sums(3, width, 0.25), plain = sums;
    std::vector<kernel::RowToAdd> rows;
    for (Index i = 0; i < table.rows(); ++i) {
      for (double& value : table.row(i)) value = rng.normal();
      rows.push_back({table.row(i).data(), rng.normal(), sums.row(i * i % 3).data()});
      for (std::size_t j = 0; j < d; ++j) {
        const volatile double product = rows.back().factor * table.row(i)[j];  // rounded
        plain.row(i * i % 3)[j] += product;
      }
    }
    EXPECT_TRUE(kernel::add_rows(rows, width));
    EXPECT_EQ(sums, plain) << width << " columns";
  }
}

/// Wherever it stands, whatever the machine adds at once.
TEST(RowsToAdd, TellWhetherANumberHasASign) {
  for (Index width = 1; width <= 20; ++width) {
    Matrix table(3, width, 2);
    Vector sums(static_cast<std::size_t>(width));
    std::vector<kernel::RowToAdd> rows;
    for (Index i = 0; i < table.rows(); ++i)
      rows.push_back({table.row(i).data(), -1.0, sums.data()});
    EXPECT_FALSE(kernel::add_rows(rows, width)) << width << " columns";
    for (Index j = 0; j < width; ++j) {
      table(1, j) = -1;
      EXPECT_TRUE(kernel::add_rows(rows, width)) << "column " << j << " of " << width;
      table(1, j) = 0;
    }
  }
}

}  // namespace
}  // namespace genera::weighted_rows_test
