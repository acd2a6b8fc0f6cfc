#include "data/columns.hpp"

#include <gtest/gtest.h>

namespace genera::data {
namespace {

Index bytes(const kernel::Ahead& memory) { return memory.end - memory.begin; }

TEST(NumberColumns, KnowsWhereRowsLieAndWhereTheyEnd) {
  const Matrix x(10, 3);
  const NumberColumns columns{MatrixView(x)};
  const kernel::Ahead memory = columns.memory_of(2, 4);
  EXPECT_EQ(memory.begin, reinterpret_cast<const char*>(x.data() + 6));
  EXPECT_EQ(bytes(memory), 4 * 3 * 8);
  EXPECT_EQ(bytes(columns.memory_of(8, 4)), 2 * 3 * 8);
  EXPECT_EQ(bytes(columns.memory_of(12, 4)), 0);
}

TEST(NumberColumns, AsksForNoMemoryOfOtherColumns) {
  const Matrix x(10, 8);
  EXPECT_EQ(bytes(NumberColumns(MatrixView(x.data(), 10, 3, {8, 1})).memory_of(0, 4)), 0);
  EXPECT_EQ(bytes(NumberColumns(MatrixView(x.data(), 8, 10, {1, 8})).memory_of(0, 4)), 0);
}

TEST(NumberColumns, KnowsWhereSingleRowsBegin) {
  const std::vector<float> x(40);
  const NumberColumns columns{MatrixView(x.data(), 10, 3, {4, 1})};
  std::vector<const char*> rows;
  EXPECT_EQ(columns.add_addresses(std::vector<Index>{7, 2}, rows), 3 * 4);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0], reinterpret_cast<const char*>(x.data() + 28));
  EXPECT_EQ(rows[1], reinterpret_cast<const char*>(x.data() + 8));
  EXPECT_EQ(
      NumberColumns(MatrixView(x.data(), 3, 10, {1, 4})).add_addresses(std::vector<Index>{1}, rows),
      0);
}

}  // namespace
}  // namespace genera::data
