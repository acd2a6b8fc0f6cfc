#include <gtest/gtest.h>

#include <genera/fit.hpp>
#include <genera/stats.hpp>

#include "sums/count_rows.hpp"
#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

namespace genera::negative_counts_test {
namespace {

using testing::error_of;
using testing::table_of;

const std::string hint = " | counts are numbers of at least 0";

/// Rows of 19 counts, so that some are added one by one, in classes k and l.
Table many_counts(Index rows) {
  std::vector<Column> columns;
  for (int j = 0; j < 19; ++j) columns.push_back({"c" + std::to_string(j), ColumnType::count});
  std::vector<testing::Cells> cells;
  for (Index i = 0; i < rows; ++i) {
    cells.emplace_back(19, "3");
    cells.back().emplace_back(i % 2 == 0 ? "k" : "l");
  }
  return table_of(columns, cells);
}

/// Also where their sums are not, and in whatever row and column.
TEST(NegativeCounts, AreNotLearnedFrom) {
  for (const Index row : {0, 255, 256, 699}) {
    for (const Index column : {0, 7, 15, 16, 18}) {
      Table table = many_counts(700);
      table.numbers(row, column) = -2;
      const std::string expected = "row " + std::to_string(row + 1) + ": 'c" +
                                   std::to_string(column) + "' is -2, which is not a count" + hint;
      EXPECT_EQ(error_of([&] { (void)fit(table, poisson()); }), expected);
      EXPECT_EQ(error_of([&] { (void)fit(table, multinomial()); }), expected);
      table.numbers(row, column) = -0.0;
      EXPECT_EQ(error_of([&] { (void)fit(table, poisson()); }), "no error");
    }
  }
}

TEST(NegativeCounts, AreNotLearnedFromBesideMissingOnes) {
  Table table = many_counts(40);
  for (Index i = 0; i < 40; i += 3) table.numbers(i, 1) = std::nan("");
  table.numbers(30, 2) = -1;
  const std::string expected = "row 31: 'c2' is -1, which is not a count" + hint;
  EXPECT_EQ(error_of([&] { (void)fit(table, poisson()); }), expected);
  table.labels[30] = -1;
  EXPECT_EQ(error_of([&] { (void)fit(table, poisson(), {.unlabelled_weight = 1}); }), expected);
}

Table sparse_counts(SparseKind kind) {
  Table table = make_table({}, Matrix(4, 0), {"k", "l", "k", "l"});
  table.sparse.push_back({.terms = {"u", "v"},
                          .begins = {0, 1, 3, 5, 6},
                          .places = {0, 0, 1, 0, 1, 1},
                          .values = {5, 3, 4, 7, -2, 6},
                          .kind = kind});
  if (kind == SparseKind::text) {
    table.columns = {{"t", ColumnType::text}};
    table.sparse.front().name = "t";
  }
  return table;
}

TEST(NegativeCounts, OfSparseMatricesAndTextsAreNotLearnedFrom) {
  const std::string expected = "row 3: 'v' is -2, which is not a count" + hint;
  for (const SparseKind kind : {SparseKind::counts, SparseKind::text}) {
    const Table table = sparse_counts(kind);
    EXPECT_EQ(error_of([&] { (void)fit(table, multinomial()); }), expected);
    for (const Scatter scatter : {Scatter::none, Scatter::full})
      EXPECT_EQ(error_of([&] { (void)collect(table, {.scatter = scatter}); }), expected);
  }
  const Table numbers = sparse_counts(SparseKind::numbers);
  for (const Scatter scatter : {Scatter::none, Scatter::full})
    EXPECT_EQ(error_of([&] { (void)collect(numbers, {.scatter = scatter}); }), "no error");
}

/// In one go for rows in order, class by class for others.
TEST(NegativeCounts, OfSparseMatricesAreFoundInAnyOrderOfRows) {
  const Table table = sparse_counts(SparseKind::counts);
  const Rows rows(table);
  for (const sums::RowsByClass& own :
       {sums::RowsByClass{{0, 2}, {1, 3}}, sums::RowsByClass{{2, 0}, {3, 1}}}) {
    Statistics statistics = sums::no_statistics(rows.data(), {.scatter = Scatter::none});
    (void)statistics.of_class("k");
    (void)statistics.of_class("l");
    EXPECT_EQ(
        error_of([&] { sums::count_rows(rows.data(), own, sums::Entries::sums, statistics); }),
        "row 3: 'v' is -2, which is not a count" + hint);
  }
}

}  // namespace
}  // namespace genera::negative_counts_test
