#include "sums/count_rows.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <genera/stats.hpp>

#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

namespace genera::count_rows_test {
namespace {

using testing::Cells;
using testing::error_of;
using testing::table_of;

/// Counts of rows of which some lack some: what is kept where a block skips missing cells.
Statistics counts_with_missing(const std::vector<std::array<double, 2>>& counts,
                               const Vector& weights) {
  std::vector<Cells> rows;
  const auto cell = [](double x) { return x < 0 ? "" : std::to_string(static_cast<int>(x)); };
  for (const auto& row : counts) rows.push_back({cell(row[0]), cell(row[1]), "k"});
  Table table = table_of({{"m", ColumnType::count}, {"n", ColumnType::count}}, rows);
  table.weights = weights;
  const Rows view(table);
  Statistics s(sums::schema_of(view.data(), {}));
  ClassStatistics& k = s.of_class("k");
  k.rows = std::ssize(rows);
  k.weight = std::accumulate(weights.begin(), weights.end(), 0.0);
  sums::RowsByClass own(1);
  for (Index i = 0; i < view.count(); ++i) own[0].push_back(i);
  sums::count_rows(view.data(), own, sums::Entries::all, s);
  return s;
}

TEST(CountStatistics, KeepTheWeightOfTheRowsInWhichACountIsThere) {
  const Statistics s = counts_with_missing({{3, 1}, {-1, 2}, {4, -1}}, {0.5, 0.25, 2});
  EXPECT_EQ(s.classes()[0].counts.sums, (Vector{9.5, 1}));
  EXPECT_EQ(s.classes()[0].counts.observed, (Vector{2.5, 0.75}));
  EXPECT_EQ(s.classes()[0].weight, 2.75);
}

/// Read once and in order, they are known only where nothing is missing and no row has gone.
TEST(CountTotals, AreThoseOfCompleteClasses) {
  Table table = table_of({{"m", ColumnType::count}, {"n", ColumnType::count}},
                         {{"1", "2", "k"}, {"", "5", "l"}, {"3", "4", "k"}, {"7", "7", ""}});
  table.weights = {0.5, 1, 2, 1};
  const Rows rows(table);
  const data::NumberColumns counts(rows.data(),
                                   data::number_places(rows.data(), ColumnType::count));
  const sums::CountTotals totals(rows, counts);
  EXPECT_TRUE(std::ranges::equal(totals.sums(0, 2), Vector{6.5, 9}));
  EXPECT_EQ(totals.weight(0), 2.5);
  EXPECT_TRUE(totals.sums(0, 1).empty());
  EXPECT_TRUE(totals.sums(1, 1).empty());
  EXPECT_TRUE(sums::CountTotals().sums(0, 2).empty());
}

/// Sums of terms are made in one go for rows in order, class by class for others.
TEST(TermStatistics, AreTheSameForRowsInAnyOrder) {
  Table table = table_of(
      {{"t", ColumnType::text}},
      {{"ham ham eggs", "k"}, {"eggs", "l"}, {"", "k"}, {"eggs spam spam", "k"}, {"spam", "l"}});
  table.weights = {0.5, 1, 2, 4, 0.25};
  const Rows rows(table);
  for (const sums::Entries entries : {sums::Entries::sums, sums::Entries::presence}) {
    const auto counted = [&](const sums::RowsByClass& own) {
      Statistics s = sums::no_statistics(rows.data(), {});
      (void)s.of_class("k");
      (void)s.of_class("l");
      sums::count_rows(rows.data(), own, entries, s);
      return s;
    };
    const Statistics in_order = counted({{0, 2, 3}, {1, 4}});
    EXPECT_EQ(in_order, counted({{3, 0, 2}, {4, 1}}));
    const TermSums& k = in_order.classes()[0].terms[0];
    EXPECT_EQ(k.weight, 4.5);
    EXPECT_EQ(k.sums, entries == sums::Entries::sums ? (Vector{1, 4.5, 8}) : Vector());
    EXPECT_EQ(k.present, entries == sums::Entries::presence ? (Vector{0.5, 4.5, 4}) : Vector());
  }
}

RC_GTEST_PROP(CountStatistics, WithMissingCellsMergeInAnyOrderAndSubtract, ()) {
  const auto any = [] {
    std::vector<std::array<double, 2>> counts;
    Vector weights;
    for (int i = *rc::gen::inRange(1, 9); i > 0; --i) {
      counts.push_back({*rc::gen::inRange(-1, 5) + 0.0, *rc::gen::inRange(-1, 5) + 0.0});
      weights.push_back(*rc::gen::inRange(1, 9) / 4.0);  // sums of these are exact
    }
    return counts_with_missing(counts, weights);
  };
  const Statistics a = any(), b = any(), c = any();
  Statistics left = a, right = b, other = c;
  left.merge(b);
  Statistics ab = left;
  left.merge(c);
  right.merge(c);
  Statistics together = a;
  together.merge(right);
  other.merge(ab);
  RC_ASSERT(left == together);
  RC_ASSERT(left == other);
  (void)left.subtract(c);
  RC_ASSERT(left == ab);
}

TEST(CountStatistics, OfForgottenFractionsLeaveNoRounding) {
  Statistics s = counts_with_missing({{1, 1}, {1, 1}, {1, 1}}, {0.1, 0.2, 0.3});
  s.merge(counts_with_missing({{-1, 2}}, {1}));
  (void)s.subtract(counts_with_missing({{1, 1}, {1, 1}, {1, 1}}, {0.3, 0.2, 0.1}));
  EXPECT_EQ(s.classes()[0].counts.sums[0], 0);
  EXPECT_EQ(s.classes()[0].counts.observed[0], 0);
  EXPECT_NEAR(s.classes()[0].counts.observed[1], 1, 1e-15);
}

TEST(CountStatistics, RefuseToForgetCountsThatWereMissing) {
  Statistics s = counts_with_missing({{3, 1}, {-1, 2}, {0, 0}}, {1, 1, 1});
  EXPECT_EQ(error_of([&] {
              (void)s.subtract(counts_with_missing({{0, 1}, {0, 1}, {0, 0}}, {1, 1, 1}));
            }),
            "class 'k': the rows to be forgotten are not among those that were learned | forget "
            "only rows that were learned, with the same weights");
}
}  // namespace
}  // namespace genera::count_rows_test
