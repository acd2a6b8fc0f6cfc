#include <genera/table_summary.hpp>

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "data/csv_support.hpp"

namespace genera::table_summary_test {
namespace {

TableSummary summary_of(const std::string& text, Roles roles = {}, int threads = 1) {
  RowStream rows(Source::text(text, "t.csv"), {}, std::move(roles));
  return summarise_table(rows, {.threads = threads});
}

const ColumnSummary& column(const TableSummary& summary, const std::string& name) {
  return *std::ranges::find(summary.columns, name, &ColumnSummary::name);
}

TEST(TableSummary, CountsCellsOfEveryColumn) {
  const TableSummary found = summary_of("x,k,w,y\n1,a,1,u\n,b,1,v\n4,a,1,u\n7,,1,u\n");
  EXPECT_EQ(found.rows, 4);
  const ColumnSummary& x = column(found, "x");
  EXPECT_EQ(x.present, 3);
  EXPECT_EQ(x.missing, 1);
  EXPECT_EQ(x.different, 3);
  EXPECT_EQ(x.min, 1);
  EXPECT_EQ(x.max, 7);
  EXPECT_DOUBLE_EQ(x.mean, 4);
  EXPECT_DOUBLE_EQ(x.deviation, std::sqrt(6.0));
  EXPECT_EQ(column(found, "k").values, (std::vector<ValueCount>{{"a", 2}, {"b", 1}}));
  EXPECT_EQ(column(found, "k").missing, 1);
  EXPECT_EQ(found.constant_columns(), std::vector<std::string>{"w"});
  EXPECT_EQ(found.target, "y");
  EXPECT_EQ(found.classes, 2);
  EXPECT_EQ(found.smallest_class, 1);
  EXPECT_EQ(found.largest_class, 3);
  EXPECT_EQ(found.features.size(), 3U);
  EXPECT_TRUE(found.refusals.empty());
}

TEST(TableSummary, SameForAnyNumberOfThreadsAndChunks) {
  std::string text = "a,t,y\n";
  for (int i = 0; i < 40000; ++i)
    text += std::to_string(i * 17 % 3001 / 7.0) + ",one two " + std::to_string(i % 5) + "x," +
            "uvw"[i % 3] + "\n";
  const TableSummary one = summary_of(text);
  EXPECT_EQ(facts(one), facts(summary_of(text, {}, 3)));
  EXPECT_EQ(column(one, "a").different, ColumnSummary::max_numbers);
  EXPECT_TRUE(column(one, "a").values.empty());
}

TEST(TableSummary, UnusedColumnsAreSummarisedToo) {
  const TableSummary found = summary_of("a,b,y\n1,2,u\n3,4,v\n", {.drop = {"b"}});
  EXPECT_EQ(found.columns.size(), 3U);
  EXPECT_EQ(found.features, (std::vector<Column>{{"a", ColumnType::numeric}}));
}

TEST(TableSummary, ReportsWhatFitWouldRefuse) {
  std::string measured = "a,price\n", odd = "a,y\n";
  for (int i = 0; i < 60; ++i) {
    measured += std::to_string(i % 7) + "," + std::to_string(i / 10.0 + 0.05) + "\n";
    odd += (i == 30 ? std::string("oops") : std::to_string(i * 3 % 11)) + "," + "uv"[i % 2] + "\n";
  }
  const TableSummary one = summary_of(measured);
  ASSERT_EQ(one.refusals.size(), 1U);
  EXPECT_NE(std::string(one.refusals[0].what()).find("looks like a measurement"),
            std::string::npos);
  const TableSummary other = summary_of(odd);
  ASSERT_EQ(other.refusals.size(), 1U);
  EXPECT_NE(std::string(other.refusals[0].what()).find("'oops'"), std::string::npos);
  EXPECT_EQ(column(other, "a").type, ColumnType::categorical);
  EXPECT_EQ(column(other, "a").present, 60);
  const auto refused =
      testing::caught([&] { static_cast<void>(read_csv(Source::text(odd, "t.csv"))); });
  EXPECT_EQ(refused.what, other.refusals[0].what());
}

TEST(TableSummary, CountsSparseEntries) {
  RowStream rows(Source::text("a 1:2 5:1\nb 5:3\na\n", "t.svm"), {}, Roles{});
  const TableSummary found = summarise_table(rows);
  EXPECT_EQ(found.rows, 3);
  EXPECT_EQ(found.sparse_columns, 2);
  EXPECT_EQ(found.sparse_entries, 3);
  EXPECT_EQ(found.classes, 2);
}

TEST(TableSummary, NeedsRolesOfTheUser) {
  RowStream rows(Source::text("a,y\n1,u\n", "t.csv"), {},
                 ExpectedRoles({{"a", ColumnType::numeric}}));
  EXPECT_EQ(testing::caught([&] { static_cast<void>(summarise_table(rows)); }).code,
            Errc::bad_argument);
}

}  // namespace
}  // namespace genera::table_summary_test
