#include <cmath>

#include <gtest/gtest.h>

#include <genera/stats.hpp>

#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

namespace genera::collect_test {
namespace {

using testing::by_name;
using testing::Cells;
using testing::counted;
using testing::error_of;
using testing::table_of;

TEST(Collect, KeepsTheVariancesOfNumbersWhereSumsAreEnoughOfASparseMatrix) {
  const Table iris = read_csv("@iris");
  CollectOptions sums, variances;
  sums.scatter = Scatter::none;
  variances.scatter = Scatter::diagonal;
  EXPECT_EQ(collect(iris, sums).statistics, collect(iris, variances).statistics);
}

TEST(Collect, LeavesMissingCategoriesAndTextsOutOneByOne) {
  const Table table = table_of({{"c", ColumnType::categorical}, {"t", ColumnType::text}},
                               {{"", "ham", "k"}, {"u", "", "k"}, {"", "", "l"}});
  const Collected all = collect(table);
  EXPECT_EQ(all.statistics.weight(), 3);
  EXPECT_EQ(all.notes, (std::vector<Note>{{"4 missing cells are left out: 'c' (2), 't' (2)"}}));
  EXPECT_EQ(all.missing_cells, 4);
  EXPECT_EQ(all.dropped_rows, 0);
  EXPECT_EQ(error_of([&] { (void)collect(table, {.missing = Missing::drop}); }),
            "3 of 3 rows have missing values in 'c' (2), 't' (2) | no row is complete: leave out "
            "the columns that miss most with drop");
}

const std::vector<Column> one_of_each{{"n", ColumnType::numeric},
                                      {"m", ColumnType::count},
                                      {"c", ColumnType::categorical},
                                      {"t", ColumnType::text}};

TEST(Collect, CountsEveryMissingCellOfTheRowsItDrops) {
  const Table table = table_of(one_of_each, {{"1.5", "2", "u", "ham", "k"},
                                             {"", "2", "", "ham", "k"},
                                             {"2.5", "", "u", "eggs", "k"},
                                             {"3.5", "1", "v", "", "k"},
                                             {"0.5", "1", "v", "ham", "l"},
                                             {"", "1", "v", "ham", "l"}});
  const Collected found = collect(table, {.missing = Missing::drop});
  EXPECT_EQ(found.notes,
            (std::vector<Note>{{"4 of 6 rows have missing values in 'n' (2), 'm' (1), 'c' (1), "
                                "'t' (1): 4 rows dropped, 2 used"}}));
  EXPECT_EQ(by_name(found.statistics),
            by_name(counted(table_of(
                one_of_each, {{"1.5", "2", "u", "ham", "k"}, {"0.5", "1", "v", "ham", "l"}}))));
}

TEST(Collect, RefusesAnInfiniteNumberEvenInARowThatIsDropped) {
  Table table =
      table_of(one_of_each, {{"1.5", "2", "u", "ham", "k"}, {"2.5", "2", "", "ham", "k"}});
  table.numbers(1, 0) = HUGE_VAL;
  const std::string said =
      "row 2: column 'n' is infinite | replace the value, or leave the cell empty if it is missing";
  for (const Missing missing : {Missing::refuse, Missing::drop})
    EXPECT_EQ(error_of([&] { (void)collect(table, {.missing = missing}); }), said);
  table.numbers(0, 1) = HUGE_VAL;
  EXPECT_EQ(error_of([&] { (void)collect(table); }),
            "row 1: column 'm' is infinite | replace the value, or leave the cell empty if it is "
            "missing");
}
}  // namespace
}  // namespace genera::collect_test
