#include <algorithm>

#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "support/problems.hpp"

namespace genera::cut_rows_test {
namespace {

using testing::error_of;
using testing::random_table;

Table column_of(const Vector& values) {
  const std::vector<std::string> labels(values.size(), "k");
  return make_table({"x"}, Matrix(std::ssize(values), 1, values), labels);
}
Cut cut_of(const Vector& values, std::optional<Index> bins = {}) {
  return find_cuts(column_of(values), bins).at("x");
}

TEST(Cuts, AreValuesThatDivideTheWeightEvenly) {
  const Cut cut = cut_of({1, 2, 3, 4, 5, 6, 7, 8}, 4);
  EXPECT_EQ(cut.limits, (Vector{3, 5, 7}));
  EXPECT_EQ(cut.below, 1.5);  // of 1 and 2 from 3
  EXPECT_EQ(cut.above, 0.5);  // of 7 and 8 from 7
  EXPECT_EQ(cut.bins(), 4);
  EXPECT_EQ(cut.bin(2.9), 0);
  EXPECT_EQ(cut.bin(3), 1);
  EXPECT_EQ(cut.bin(100), 3);
}

TEST(Cuts, OfFewValuesAreAllButTheFirst) {
  const Cut cut = cut_of({5, 1, 1, 3, 5}, 6);
  EXPECT_EQ(cut.limits, (Vector{3, 5}));
  EXPECT_EQ(cut.above, 2);  // from 5, its only value, to 3
  EXPECT_TRUE(cut_of({4, 4, 4}).limits.empty());
}

TEST(Cuts, AreTheCubeRootOfTheRowsUnlessGiven) {
  EXPECT_EQ(find_cuts(random_table(1000, 1, 2, 1)).begin()->second.bins(), 10);
  EXPECT_EQ(find_cuts(random_table(20, 1, 2, 1)).begin()->second.bins(), 4);
  EXPECT_EQ(find_cuts(random_table(20000, 1, 2, 1)).begin()->second.bins(), 20);
  EXPECT_EQ(find_cuts(random_table(1000, 1, 2, 1), 6).begin()->second.bins(), 6);
}

TEST(Cuts, CountWeightsAsRepetitions) {
  Table weighted = column_of({1, 2, 3, 4, 5, 6});
  weighted.weights = {1, 3, 1, 1, 2, 1};
  EXPECT_EQ(find_cuts(weighted, 3).at("x"), cut_of({1, 2, 2, 2, 3, 4, 5, 5, 6}, 3));
}

TEST(Cuts, GiveFrequentValuesABinOfTheirOwn) {
  Table table = random_table(400, 2, 2, 3);
  for (Index i = 0; i < 400; i += 3) table.numbers(i, 0) = 0;
  const Vector limits = find_cuts(table).begin()->second.limits;
  const auto zero = std::ranges::find(limits, 0.0);
  ASSERT_NE(zero, limits.end());
  ASSERT_NE(zero + 1, limits.end());
  for (Index i = 0; i < 400; ++i)
    EXPECT_FALSE(table.numbers(i, 0) > 0 && table.numbers(i, 0) < zero[1]);
}

TEST(Cuts, RefuseOneBin) {
  EXPECT_EQ(error_of([] { (void)find_cuts(random_table(30, 2, 2, 1), 1); }),
            "1 bin cannot cut a column | give max_bins a whole number of at least 2");
}

TEST(CutRows, RefuseInfiniteNumbers) {
  const Table table = column_of({1, 2, HUGE_VAL, 3});
  EXPECT_EQ(error_of([&] { (void)collect(table, {.pairs = true}); }),
            "row 3: column 'x' is infinite | replace the value, or leave the cell empty if it is "
            "missing");
}

TEST(CutRows, AreTheSameFromAStream) {
  const Table table = random_table(300, 3, 2, 4);
  Index next = 0;
  CallbackRows stream(
      [&]() -> std::optional<RowChunk> {
        if (next >= 300) return std::nullopt;
        next += 100;
        return RowChunk(testing::rows_of(table, testing::range(next - 100, next)));
      },
      {.restart = [&] { next = 0; }});
  EXPECT_EQ(to_bytes(collect(stream, {.pairs = true}).statistics, Format::cbor),
            to_bytes(collect(table, {.pairs = true}).statistics, Format::cbor));
}

}  // namespace
}  // namespace genera::cut_rows_test
