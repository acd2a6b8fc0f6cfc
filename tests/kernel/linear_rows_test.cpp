#include "kernel/linear_rows.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/panels.hpp"

namespace genera::kernel::linear_rows_test {
namespace {

using genera::testing::panel_of;
using genera::testing::random_matrix;

class Columns : public ::testing::TestWithParam<Index> {};
INSTANTIATE_TEST_SUITE_P(AnyNumber, Columns, ::testing::Values(1, 2, 5, 6, 7, 12, 13, 50));

/// The same numbers as doubles and as floats, by the addresses of the rows.
struct RowsOfBothTypes {
  RowsOfBothTypes(Index rows, Index d, std::uint64_t seed) : doubles(random_matrix(rows, d, seed)) {
    for (Index i = 0; i < rows; ++i) {
      for (double& value : doubles.row(i)) {
        value = static_cast<float>(value);
        floats.push_back(static_cast<float>(value));
      }
    }
    for (Index i = 0; i < rows; ++i) {
      at_doubles.push_back(reinterpret_cast<const char*>(doubles.row(i).data()));
      at_floats.push_back(reinterpret_cast<const char*>(floats.data() + i * d));
    }
  }
  [[nodiscard]] std::vector<RowsInMemory> first(Index count) const {
    const auto some = static_cast<std::size_t>(count);
    return {{std::span(at_doubles).first(some), doubles.columns(), false},
            {std::span(at_floats).first(some), doubles.columns(), true}};
  }
  [[nodiscard]] std::vector<StridedRows> strided() const {
    const Index d = doubles.columns();
    return {{at_doubles.front(), 8 * d, doubles.rows(), d, false},
            {at_floats.front(), 4 * d, doubles.rows(), d, true}};
  }
  Matrix doubles;
  std::vector<float> floats;
  std::vector<const char*> at_doubles, at_floats;
};

TEST_P(Columns, AffineProductsOfRowsHaveTheBitsOfThoseOfPanels) {
  const Index d = GetParam();
  const RowsOfBothTypes rows(panel_rows, d, 18);
  const Matrix centre = random_matrix(1, d, 19), constants = random_matrix(1, 12, 20);
  for (Index classes = 1; classes <= max_products_of_rows(); ++classes) {
    const PackedMatrix packed = PackedMatrix::dense(random_matrix(classes, d, 21));
    const AffineMap map{packed, centre.data(), constants.data()};
    for (const Index count : {Index{1}, Index{7}, Index{8}, Index{9}, panel_rows}) {
      AlignedVector expected(12 * panel_rows);
      affine_products(map, panel_of(rows.doubles, 0, count).data(), count, expected.data());
      for (const RowsInMemory& some : rows.first(count)) {
        AlignedVector found(12 * panel_rows);
        affine_products(map, some, found.data());
        for (Index k = 0; k < classes; ++k) {
          for (Index lane = 0; lane < count; ++lane) {
            const auto place = static_cast<std::size_t>(k * panel_rows + lane);
            EXPECT_EQ(found[place], expected[place]) << classes << ' ' << count;
          }
        }
      }
    }
  }
}

TEST_P(Columns, BestProductsAreTheLargest) {
  const Index d = GetParam(), count = 37;
  RowsOfBothTypes rows(count, d, 22);
  const Matrix centre = random_matrix(1, d, 23), numbers = random_matrix(2, 12, 24);
  for (Index classes = 1; classes <= max_products_of_rows(); ++classes) {
    const PackedMatrix packed = PackedMatrix::dense(random_matrix(classes, d, 25));
    const AffineMap map{packed, centre.data(), numbers.row(0).data()};
    const LinearChoice choice{map, numbers.row(1).data(), 1e140};
    for (const StridedRows& all : rows.strided()) {
      std::vector<std::int32_t> best(static_cast<std::size_t>(count), -7);
      EXPECT_TRUE(best_products(choice, all, best.data()));
      for (Index i = 0; i < count; ++i) {
        AlignedVector scores(12 * panel_rows), top(panel_rows);
        std::int32_t expected[panel_rows];
        affine_products(map, panel_of(rows.doubles, i, 1).data(), 1, scores.data());
        add_constants(choice.offsets, {scores.data(), 12 * panel_rows, 1, classes});
        EXPECT_TRUE(best_classes(scores.data(), classes, top.data(), expected));
        EXPECT_EQ(best[static_cast<std::size_t>(i)], expected[0]);
      }
    }
  }
}

TEST(BestProducts, AreRefusedWhereANumberIsNotFiniteOrFarOut) {
  const PackedMatrix packed = PackedMatrix::dense(random_matrix(3, 5, 26));
  const Vector zeros(5);
  const LinearChoice choice{{packed, zeros.data(), zeros.data()}, zeros.data(), 1e140};
  for (const double odd : {HUGE_VAL, -HUGE_VAL, std::nan(""), 1e200}) {
    for (const Index row : {0, 7, 8, 18}) {
      for (const Index column : {0, 3, 4}) {
        RowsOfBothTypes rows(19, 5, 27);
        std::vector<std::int32_t> best(19);
        EXPECT_TRUE(best_products(choice, rows.strided()[0], best.data()));
        rows.doubles(row, column) = odd;
        EXPECT_FALSE(best_products(choice, rows.strided()[0], best.data()));
      }
    }
  }
}

TEST(BestProducts, GoToTheFirstOfEqualClasses) {
  const PackedMatrix packed = PackedMatrix::dense(Matrix(4, 3, 1));
  const Vector zeros(4), offsets{0, 1, 1, 0};
  const RowsOfBothTypes rows(10, 3, 28);
  std::vector<std::int32_t> best(10);
  EXPECT_TRUE(best_products({{packed, zeros.data(), zeros.data()}, offsets.data(), 1e140},
                            rows.strided()[0], best.data()));
  EXPECT_EQ(best, std::vector<std::int32_t>(10, 1));
}

}  // namespace
}  // namespace genera::kernel::linear_rows_test
