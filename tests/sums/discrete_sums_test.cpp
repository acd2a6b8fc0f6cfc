#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <genera/fit.hpp>
#include <genera/query.hpp>
#include <genera/stats.hpp>

#include "sums/count_rows.hpp"
#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

namespace genera::discrete_statistics_test {
namespace {

using testing::by_name;
using testing::Cells;
using testing::cells_at;
using testing::columns_at;
using testing::counted;
using testing::error_of;
using testing::largest_difference;
using testing::mixed_columns;
using testing::mixed_rows;
using testing::mixed_table;
using testing::sparse_table;
using testing::table_of;

constexpr double tiny = 1e-9;  // of scatters; counts are whole and exact

std::vector<Cells> part_of(const std::vector<Cells>& rows, std::size_t begin, std::size_t end) {
  return {rows.begin() + static_cast<Index>(begin), rows.begin() + static_cast<Index>(end)};
}

/// Rows of a mixed table whose columns stand in any order.
Statistics shuffled(const std::vector<Cells>& rows, bool joint) {
  std::vector<std::size_t> order(mixed_columns().size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = 0; i + 1 < order.size(); ++i)
    std::swap(order[i], order[*rc::gen::inRange(i, order.size())]);
  return counted(table_of(columns_at(mixed_columns(), order), cells_at(rows, order)), joint);
}

struct Shards {
  std::vector<Cells> rows;
  std::size_t first, second;  // where they are cut
};

Shards any_shards() {
  const auto n = *rc::gen::inRange<std::size_t>(1, 40);
  Shards shards{mixed_rows(static_cast<Index>(n), *rc::gen::inRange<std::uint64_t>(0, 10000)), 0,
                0};
  shards.first = *rc::gen::inRange<std::size_t>(0, n + 1);
  shards.second = *rc::gen::inRange<std::size_t>(shards.first, n + 1);
  return shards;
}

RC_GTEST_PROP(DiscreteStatistics, OfShardsMergeToThoseOfOnePass, (bool joint)) {
  const auto [rows, first, second] = any_shards();
  Statistics merged = shuffled(part_of(rows, 0, first), joint);
  merged.merge(shuffled(part_of(rows, first, second), joint));
  merged.merge(shuffled(part_of(rows, second, rows.size()), joint));
  const Statistics whole = counted(table_of(mixed_columns(), rows), joint);
  RC_ASSERT(largest_difference(by_name(merged), by_name(whole)) < tiny);
}

RC_GTEST_PROP(DiscreteStatistics, MergeInAnyOrderWithTheEmptyOneAsIdentity, (bool joint)) {
  const auto [rows, first, second] = any_shards();
  const Statistics a = shuffled(part_of(rows, 0, first), joint);
  const Statistics b = shuffled(part_of(rows, first, rows.size()), joint);
  Statistics ab = a, ba = b, with_empty = a, empty;
  ab.merge(b);
  ba.merge(a);
  with_empty.merge(Statistics());
  empty.merge(a);
  RC_ASSERT(largest_difference(by_name(ab), by_name(ba)) < tiny);
  RC_ASSERT(with_empty == a);
  RC_ASSERT(empty == a);
}

RC_GTEST_PROP(DiscreteStatistics, SubtractUndoesMerge, (bool joint)) {
  const auto [rows, first, second] = any_shards();
  const Statistics kept = shuffled(part_of(rows, 0, first), joint);
  const Statistics gone = shuffled(part_of(rows, first, rows.size()), joint);
  Statistics left = kept;
  left.merge(gone);
  (void)left.subtract(gone);
  RC_ASSERT(largest_difference(by_name(left), by_name(kept)) < tiny);
  (void)left.subtract(kept);
  RC_ASSERT(left.classes().empty());
}

RC_GTEST_PROP(DiscreteStatistics, AWeightOfTwoIsTheRowTwice, (bool joint)) {
  const auto rows = mixed_rows(*rc::gen::inRange<Index>(1, 30), 7);
  Table weighted = table_of(mixed_columns(), rows);
  std::vector<Cells> repeated;
  for (const Cells& row : rows) {
    weighted.weights.push_back(static_cast<double>(*rc::gen::inRange(0, 4)));
    for (int i = 0; i < static_cast<int>(weighted.weights.back()); ++i) repeated.push_back(row);
  }
  auto once = by_name(counted(weighted, joint));
  auto twice = by_name(counted(table_of(mixed_columns(), repeated), joint));
  for (auto* all : {&once, &twice})
    std::erase_if(*all, [](const auto& entry) { return entry.first.ends_with("/rows"); });
  RC_ASSERT(largest_difference(once, twice) < tiny);
}

TEST(DiscreteStatistics, FractionsOfARowAddUpToIt) {
  Table quarter = mixed_table(50, 3);
  quarter.weights.assign(50, 0.25);
  Statistics sum = counted(quarter);
  for (int i = 0; i < 3; ++i) sum.merge(counted(quarter));
  auto found = by_name(sum), expected = by_name(counted(mixed_table(50, 3)));
  for (auto* all : {&found, &expected})
    std::erase_if(*all, [](const auto& entry) { return entry.first.ends_with("/rows"); });
  EXPECT_LT(largest_difference(found, expected), tiny);
}

TEST(DiscreteStatistics, AreSumsOfWeights) {
  Table table =
      table_of({{"c", ColumnType::categorical}, {"n", ColumnType::count}, {"t", ColumnType::text}},
               {{"u", "2", "ham ham eggs", "k"},
                {"v", "5", "", "k"},
                {"", "1", "eggs", "k"},
                {"u", "0", "of nothing", "l"}});
  table.weights = {0.5, 0.25, 2, 1};
  const auto sums = by_name(counted(table));
  const std::map<std::string, double> expected{{"k/rows", 3},
                                               {"k/weight", 2.75},
                                               {"k/c=u", 0.5},
                                               {"k/c=v", 0.25},
                                               {"k/n", 4.25},
                                               {"k/n observed", 2.75},
                                               {"k/t: rows", 2.5},
                                               {"k/t:ham", 1},
                                               {"k/t:eggs", 2.5},
                                               {"k/t:ham present", 0.5},
                                               {"k/t:eggs present", 2.5},
                                               {"l/rows", 1},
                                               {"l/weight", 1},
                                               {"l/c=u", 1},
                                               {"l/n observed", 1},
                                               {"l/t: rows", 1},
                                               {"l/t:of", 1},
                                               {"l/t:nothing", 1},
                                               {"l/t:of present", 1},
                                               {"l/t:nothing present", 1}};
  EXPECT_EQ(sums, expected);
}

TEST(DiscreteStatistics, MergedWithThemselvesAreTwiceAsHeavy) {
  Statistics s = counted(mixed_table(30, 4));
  Statistics twice = s;
  twice.merge(s);
  s.merge(s);
  EXPECT_EQ(s, twice);
}

TEST(DiscreteStatistics, HaveTheSameBitsForAnyNumberOfThreads) {
  for (const bool joint : {false, true}) {
    const std::vector<std::size_t> places{0, 1, 2, 3, 5, 6, 7};  // blocks of texts are larger
    Table table =
        table_of(columns_at(mixed_columns(), places), cells_at(mixed_rows(20000, 5), places));
    for (Index i = 0; i < table.rows(); ++i)
      table.weights.push_back(0.1 * static_cast<double>(1 + i % 7));
    const Statistics one = collect(table, {.joint = joint}).statistics;
    for (const int threads : {2, 5})
      EXPECT_EQ(collect(table, {.joint = joint}, {.threads = threads}).statistics, one);
  }
}

TEST(DiscreteStatistics, OfOneCategoryAloneNeedNoSecondMoments) {
  const Table table = table_of({{"c", ColumnType::categorical}}, {{"u", "k"}, {"v", "l"}});
  Statistics s = collect(table).statistics;
  s.merge(collect(table, {.scatter = Scatter::diagonal}).statistics);
  EXPECT_EQ(by_name(s), (std::map<std::string, double>{{"k/c=u", 2},
                                                       {"k/rows", 2},
                                                       {"k/weight", 2},
                                                       {"l/c=v", 2},
                                                       {"l/rows", 2},
                                                       {"l/weight", 2}}));
  (void)s.subtract(collect(table, {.scatter = Scatter::diagonal}).statistics);
  EXPECT_EQ(by_name(s), by_name(collect(table).statistics));
}

TEST(DiscreteStatistics, OfForgottenFractionsLeaveNoRounding) {
  const auto weighted = [](const std::vector<Cells>& rows, Vector weights) {
    Table table = table_of({{"c", ColumnType::categorical}, {"t", ColumnType::text}}, rows);
    table.weights = std::move(weights);
    return counted(table);
  };
  const std::vector<Cells> forgotten(3, {"v", "ham", "k"});
  Statistics s = weighted(forgotten, {0.1, 0.2, 0.3});
  s.merge(weighted({{"u", "", "k"}}, {1}));
  (void)s.subtract(weighted(forgotten, {0.3, 0.2, 0.1}));  // 0.1 + 0.2 + 0.3 > 0.3 + 0.2 + 0.1
  const ClassStatistics& left = s.classes()[0];
  EXPECT_EQ(left.terms[0].weight, 0);
  EXPECT_EQ(left.terms[0].sums, (Vector{0}));
  EXPECT_EQ(left.levels[0], (Vector{0, 1}));
}

TEST(SparseStatistics, OfShardsMergeToThoseOfOnePassAndSubtract) {
  const Matrix x(5, 3, {1, 0, -1, 2.5, 0, 0, 0, 0, 1, 0, 7, -1, 3, 0, 1});
  const std::vector<std::string> labels{"k", "l", "k", "k", "l"};
  const Statistics whole = counted(sparse_table(x, labels));
  Matrix head(2, 3), tail(3, 3);
  std::copy_n(x.data(), 6, head.data());
  std::copy_n(x.data() + 6, 9, tail.data());
  const Statistics first = counted(sparse_table(head, {"k", "l"}));
  const Statistics second = counted(sparse_table(tail, {"k", "k", "l"}));
  Statistics merged = first;
  merged.merge(second);
  EXPECT_LT(largest_difference(by_name(merged), by_name(whole)), 1e-14);
  (void)merged.subtract(second);
  EXPECT_LT(largest_difference(by_name(merged), by_name(first)), 1e-14);
}

TEST(SparseStatistics, OfValuesThatCancelKeepTheirVariance) {  // column 2 comes later, its sum is 0
  const Matrix x(4, 2, {1, 0, 3, 0, 2, 1, 5, -1});
  const std::vector<std::string> labels{"k", "k", "k", "k"};
  Statistics merged = counted(sparse_table(Matrix(2, 1, {1, 3}), {"k", "k"}));
  merged.merge(counted(sparse_table(Matrix(2, 2, {2, 1, 5, -1}), {"k", "k"})));
  const TermSums& sums = merged.classes()[0].terms[0];
  EXPECT_EQ(sums.sums, (Vector{11, 0}));
  EXPECT_EQ(sums.present, (Vector{4, 2}));
  EXPECT_EQ(sums.scatter.size(), 2U);
  const Model expected = fit(testing::dense_table(x, labels), gaussian_naive_bayes()).model;
  EXPECT_LT(largest_difference(log_joint(estimate(merged, gaussian_naive_bayes()).model, x),
                               log_joint(expected, x)),
            1e-13);
}

/// The same statistics with levels and terms in the opposite order.
Statistics reversed(const Statistics& s) {
  Statistics other = s;
  const auto turn = [](SharedNames& names) {
    const std::vector<std::string>& all = names.names();
    names = NameSet(std::vector<std::string>(all.rbegin(), all.rend()));
  };
  const auto turn_sums = [](Vector& sums, Index names) {
    sums.resize(static_cast<std::size_t>(names));
    std::reverse(sums.begin(), sums.end());
  };
  for (std::size_t j = 0; j < s.levels().size(); ++j) turn(other.levels_of(j));
  for (std::size_t j = 0; j < s.terms().size(); ++j) turn(other.terms_of(j));
  for (const ClassStatistics& c : s.classes()) {
    ClassStatistics& turned = other.of_class(c.name);
    for (std::size_t j = 0; j < c.levels.size(); ++j)
      turn_sums(turned.levels[j], s.levels()[j].size());
    for (std::size_t j = 0; j < c.terms.size(); ++j) {
      TermSums& terms = turned.terms[j];
      turn_sums(terms.sums, s.terms()[j].size());
      turn_sums(terms.present, s.terms()[j].size());
      if (!terms.scatter.empty()) turn_sums(terms.scatter, s.terms()[j].size());
    }
  }
  return other;
}

void expect_plain_addition(const Rows& rows) {
  const std::vector<std::int32_t> fold_of{0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1};
  const std::vector<Statistics> folds = collect_folds(rows, fold_of, 2);
  const SharedNames& names = folds[0].terms()[0];
  EXPECT_GT(names.size(), 0);
  EXPECT_TRUE(names.shared_with(folds[1].terms()[0]));
  Statistics plain = folds[0], by_names = folds[0];
  plain.merge(folds[1]);
  by_names.merge(reversed(folds[1]));
  EXPECT_EQ(plain, by_names);
  EXPECT_TRUE(names.shared_with(plain.terms()[0]));
  (void)plain.subtract(folds[1]);
  (void)by_names.subtract(reversed(folds[1]));
  EXPECT_EQ(plain, by_names);
  EXPECT_TRUE(names.shared_with(folds[1].terms()[0]));
}

TEST(SharedNamesOfStatistics, MakeMergingPlainAdditionWhichEqualsMergingByName) {
  expect_plain_addition(mixed_table(12, 9));
  Matrix x(12, 3);
  for (Index i = 0; i < 36; i += 5) x.data()[i] = 1 + 0.25 * static_cast<double>(i);
  const std::vector<std::string> labels{"k", "l", "k", "k", "l", "k", "l", "k", "l", "l", "k", "k"};
  expect_plain_addition(sparse_table(x, labels));
}

TEST(Statistics, OfOneTableAreTheSameInAnyOrderOfItsRows) {
  Table table = mixed_table(60, 12);
  for (Index i = 0; i < 60; ++i) table.weights.push_back(static_cast<double>(1 + i % 3));
  std::vector<Index> backwards;
  for (Index i = 59; i >= 0; --i) backwards.push_back(i);
  EXPECT_LT(largest_difference(by_name(collect(Rows(table).only(backwards)).statistics),
                               by_name(collect(table).statistics)),
            tiny);
}

Statistics of_column(const std::string& name, ColumnType type, bool joint = false) {
  return counted(table_of({{name, type}}, {{"1", "k"}, {"0", "l"}}), joint);
}

TEST(DiscreteStatistics, RefuseThoseOfOtherKinds) {
  Statistics s = of_column("c", ColumnType::categorical);
  EXPECT_EQ(
      error_of([&] { s.merge(counted(sparse_table(Matrix(1, 1, {1}), {"k"}))); }),
      "one side comes from a sparse matrix, the other from columns with names | make both from "
      "data of the same kind");
  EXPECT_EQ(error_of([&] { s.merge(of_column("c", ColumnType::count)); }),
            "the column 'c' is categorical on one side and count on the other | make both with "
            "the same type: type = c=categorical");
  Statistics number = of_column("c", ColumnType::count);
  EXPECT_EQ(error_of([&] { number.merge(s); }),
            "the column 'c' is count on one side and categorical on the other | make both with "
            "the same type: type = c=count");
  EXPECT_EQ(error_of([&] { s.merge(of_column("c", ColumnType::categorical, true)); }),
            "one side counts levels jointly, the other column by column | make both with or "
            "without model = joint");
  EXPECT_EQ(error_of([&] { s.merge(of_column("d", ColumnType::categorical)); }),
            "the statistics have different columns: 'd' only on one side | make them from tables "
            "with the same columns (features, drop)");
  EXPECT_EQ(s, of_column("c", ColumnType::categorical));
}

TEST(DiscreteStatistics, OfTwoLevelsAndOfMoreAddUp) {
  const std::vector<Column> binary{{"c", ColumnType::binary}};
  const std::vector<Column> more{{"c", ColumnType::categorical}};
  Statistics s = counted(table_of(binary, {{"u", "k"}, {"v", "l"}}));
  Statistics reversed = counted(table_of(more, {{"w", "k"}, {"u", "l"}}));
  const Statistics first = s;
  s.merge(reversed);
  reversed.merge(first);
  const Model expected =
      estimate(counted(table_of(more, {{"u", "k"}, {"v", "l"}, {"w", "k"}, {"u", "l"}})), lda())
          .model;
  EXPECT_EQ(estimate(s, lda()).model, expected);
  EXPECT_EQ(estimate(reversed, lda()).model, expected);
}

TEST(DiscreteStatistics, RefuseTextsCutInOtherWays) {
  const Table table = table_of({{"t", ColumnType::text}}, {{"some words", "k"}});
  Statistics s = collect(table).statistics;
  Table other = table;
  other.sparse.front().text_options.words = {1, 2};
  EXPECT_EQ(error_of([&] { s.merge(collect(other).statistics); }),
            "the two sides make terms of text in different ways | make both with the same "
            "ngrams, chars and hash_bits");
}

TEST(DiscreteStatistics, RefuseToForgetWhatWasNotLearned) {
  const std::vector<Column> columns{{"c", ColumnType::categorical}};
  const std::vector<Cells> rows{{"u", "k"}, {"u", "k"}, {"v", "l"}};
  Statistics s = counted(table_of(columns, rows));
  const auto refusal = [&](const std::vector<Cells>& other) {
    return error_of([&] { (void)s.subtract(counted(table_of(columns, other))); });
  };
  const std::string not_learned =
      "class 'k': the rows to be forgotten are not among those that were learned | forget only "
      "rows that were learned, with the same weights";
  EXPECT_EQ(refusal({{"v", "k"}}), not_learned);
  EXPECT_EQ(refusal({{"never", "k"}}), not_learned);
  EXPECT_EQ(refusal({{"u", "l"}, {"v", "l"}}),
            "class 'l' has 1 row of weight 1: 2 rows of weight 2 cannot be forgotten | forget "
            "only rows that were learned");
  EXPECT_EQ(refusal({{"u", "m"}}),
            "class 'm' has 0 rows of weight 0: 1 row of weight 1 cannot be forgotten | forget "
            "only rows that were learned");
  Table light = table_of(columns, {rows[0], rows[1]});
  light.weights = {0.5, 0.5};
  EXPECT_EQ(error_of([&] { (void)s.subtract(counted(light)); }),
            "class 'k' would keep 0 rows of weight 1: the weights are not those that were learned "
            "| forget rows with the weights they were learned with (weights)");
  EXPECT_EQ(error_of([&] { s.forget_class("kk"); }), "there is no class 'kk' | did you mean 'k'?");
  EXPECT_EQ(s, counted(table_of(columns, rows)));
}

TEST(DiscreteStatistics, RefuseRowsWithoutALabelOrANumber) {
  Statistics s;
  EXPECT_EQ(error_of([&] {
              s.add(table_of({{"n", ColumnType::count}, {"c", ColumnType::categorical}},
                             {{"1", "", "k"}, {"", "u", "k"}, {"2", "u", ""}}));
            }),
            "2 of 3 rows have no label or a missing value | use collect() with "
            "Missing::drop, or "
            "complete the rows");
}

TEST(DiscreteStatistics, RefuseALevelThatHoldsTheSeparatorOfJointLevels) {
  const Table table =
      table_of({{"c", ColumnType::categorical}, {"d", ColumnType::categorical}}, {{"u",
                                                                                   "a\x1f"
                                                                                   "b",
                                                                                   "k"}});
  EXPECT_EQ(error_of([&] { (void)counted(table, true); }),
            "row 1: column 'd' holds the control character 0x1F, which joint counts cannot keep "
            "apart | take it out of the cell, or use model = categorical");
  EXPECT_EQ(counted(table, false).levels()[1].names(), (Cells{"a\x1f"
                                                              "b"}));
}

}  // namespace
}  // namespace genera::discrete_statistics_test
