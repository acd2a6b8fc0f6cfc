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
  std::vector<const char*> addresses;
  const kernel::RowsInMemory found = columns.in_memory(std::vector<Index>{7, 2}, addresses);
  ASSERT_EQ(found.rows.size(), 2U);
  EXPECT_EQ(found.rows[0], reinterpret_cast<const char*>(x.data() + 28));
  EXPECT_EQ(found.rows[1], reinterpret_cast<const char*>(x.data() + 8));
  EXPECT_EQ(found.bytes(), 3 * 4);
  EXPECT_TRUE(found.floats);
  const NumberColumns apart{MatrixView(x.data(), 3, 10, {1, 4})};
  EXPECT_TRUE(apart.in_memory(std::vector<Index>{1}, addresses).rows.empty());
}

}  // namespace
}  // namespace genera::data
