#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "support/problems.hpp"

namespace genera::schema_test {
namespace {

using testing::error_of;
using testing::random_table;

TEST(Schema, OtherLimitsDoNotMerge) {
  Statistics first = collect(random_table(60, 2, 2, 1), {.pairs = true}).statistics;
  const Statistics second = collect(random_table(60, 2, 2, 2), {.pairs = true}).statistics;
  const std::string column = first.schema().features.front().name;
  EXPECT_EQ(error_of([&] { first.merge(second); }),
            "the column '" + column +
                "' is cut into bins at other limits on each side | make the second statistics with "
                "the limits of the first: like = FIRST");
  const Statistics same =
      collect(random_table(60, 2, 2, 2), {.pairs = true, .cuts = cuts_of(first.schema())})
          .statistics;
  EXPECT_NO_THROW(first.merge(same));
}

TEST(Schema, PairsMergeWithPairsOnly) {
  Table table = random_table(60, 1, 2, 1);
  Statistics pairs = collect(table, {.pairs = true}).statistics;
  Statistics plain = collect(table).statistics;
  EXPECT_NE(error_of([&] { pairs.merge(plain); }), "no error");
  StatisticsSchema schema = pairs.schema();
  schema.pairs = false;
  Statistics others(schema);
  EXPECT_EQ(error_of([&] { pairs.merge(others); }),
            "one side counts pairs of columns, the other does not | make both with or without "
            "model = aode");
}

}  // namespace
}  // namespace genera::schema_test
