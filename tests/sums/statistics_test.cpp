#include <algorithm>
#include <cmath>
#include <ctime>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <genera/error.hpp>
#include <genera/fit.hpp>
#include <genera/stats.hpp>

#include "sums/row_moments.hpp"
#include "support/problems.hpp"

namespace genera::statistics_test {
namespace {

using testing::error_of;
using testing::random_table;
using testing::range;
using testing::rows_of;
using ::testing::Test;

Statistics statistics_of(const Table& table, int threads = 1) {
  return collect(table, {}, {.threads = threads}).statistics;
}

TEST(Statistics, HaveTheSameBitsForAnyNumberOfThreads) {
  const Table table = random_table(20000, 6, 4, 1);
  const Statistics one = statistics_of(table, 1);
  for (const int threads : {2, 3, 7}) EXPECT_EQ(statistics_of(table, threads), one);
}

TEST(Statistics, OfWideRowsAreThoseOfTheirClassesInAnyOrder) {
  Table table = random_table(9000, 130, 3, 4);
  table.labels[17] = -1;
  const Statistics all = collect(table, {.missing = Missing::drop}).statistics;
  EXPECT_EQ(collect(table, {.missing = Missing::drop}, {.threads = 3}).statistics, all);
  for (const ClassStatistics& c : all.classes()) {
    std::vector<Index> own;
    for (Index i = 0; i < table.row_count; ++i) {
      const std::int32_t label = table.labels[static_cast<std::size_t>(i)];
      if (label >= 0 && table.classes[static_cast<std::size_t>(label)] == c.name) own.push_back(i);
    }
    EXPECT_EQ(c.rows, std::ssize(own));
    const Moments expected =
        sums::RowMoments(data::NumberColumns(MatrixView(table.numbers)), {}, Scatter::full).of(own);
    for (Index i = 0; i < 130; ++i) {
      for (Index j = 0; j < 130; ++j)
        EXPECT_NEAR(c.moments.scatter(i, j), expected.scatter(i, j),
                    1e-13 * std::sqrt(expected.scatter(i, i) * expected.scatter(j, j)));
    }
  }
}

TEST(Statistics, AreTakenInChunksOfOneSize) {
  const auto sizes = [](Index n) {
    std::vector<Index> chunks;
    Index before = 0;
    (void)collect(random_table(n, 2, 2, 8), {},
                  {.threads = 1, .progress = [&](const Progress& p) {
                     chunks.push_back(p.done - std::exchange(before, p.done));
                     return true;
                   }});
    return chunks;
  };
  EXPECT_EQ(sizes(8191), std::vector<Index>{8191});
  EXPECT_EQ(sizes(8192), std::vector<Index>(4, 2048));
  EXPECT_EQ(sizes(20001), (std::vector<Index>{5001, 5001, 5001, 4998}));
  EXPECT_EQ(sizes(100000), std::vector<Index>(8, 12500));
}

/// Classes that cannot be summed up with the others are read by themselves: one that begins far
/// away, and one that lacks a number.
TEST(Statistics, OfClassesThatAreReadAgainAreThoseOfTheirRows) {
  for (const bool weighted : {false, true}) {
    Table table = random_table(30000, 5, 4, 9);
    if (weighted) {
      Rng rng(10);
      for (Index i = 0; i < table.row_count; ++i) table.weights.push_back(0.5 + rng.uniform());
    }
    std::vector<std::vector<Index>> own(4);
    for (Index i = 0; i < table.row_count; ++i)
      own[static_cast<std::size_t>(table.labels[static_cast<std::size_t>(i)])].push_back(i);
    for (std::size_t i = 0; i < 60; ++i) table.numbers(own[1][i], 3) += 1e5;
    const std::size_t lacking = own[2].size() / 2;
    table.numbers(own[2][lacking], 0) = std::nan("");
    own[2].erase(own[2].begin() + static_cast<std::ptrdiff_t>(lacking));
    for (const Scatter kind : {Scatter::full, Scatter::diagonal}) {
      const CollectOptions options{.scatter = kind, .missing = Missing::drop};
      const Statistics all = collect(table, options).statistics;
      EXPECT_EQ(collect(table, options, {.threads = 3}).statistics, all);
      for (std::size_t k = 0; k < 4; ++k) {
        const ClassStatistics& found =
            *std::ranges::find(all.classes(), table.classes[k], &ClassStatistics::name);
        const Moments expected =
            sums::RowMoments(data::NumberColumns(MatrixView(table.numbers)), table.weights, kind)
                .of(own[k]);
        EXPECT_EQ(found.rows, std::ssize(own[k]));
        EXPECT_NEAR(found.weight, expected.weight, 1e-12 * expected.weight);
        for (Index j = 0; j < 5; ++j) {
          const Index i = kind == Scatter::full ? j : 0;
          EXPECT_NEAR(found.moments.scatter(i, j), expected.scatter(i, j),
                      1e-12 * expected.scatter(i, j));
        }
      }
    }
  }
}

TEST(Statistics, ThatNobodyNeedsAnyMoreMergeToTheSame) {
  const Table table = random_table(400, 3, 2, 6);
  const Rows rows(table);
  const Statistics first = collect(rows.between(0, 200)).statistics,
                   second = collect(rows.between(200, 400)).statistics;
  Statistics copied(first.schema()), taken(first.schema());
  for (const Statistics& part : {first, second}) {
    copied.merge(part);
    taken.merge(Statistics(part));
  }
  EXPECT_EQ(taken, copied);
  Statistics empty;
  empty.merge(Statistics(first));
  EXPECT_EQ(empty, first);
}

TEST(Statistics, MakeTheModelThatTheirRowsMake) {
  Table table = random_table(300, 4, 3, 7);
  for (const bool constant : {false, true}) {  // moments are taken, or those of some columns
    for (Index i = 0; i < 300 && constant; ++i) table.numbers(i, 2) = 5;
    for (const Recipe& recipe : {qda(), lda(), gaussian_naive_bayes()})
      EXPECT_EQ(fit(table, recipe).model, estimate(collect(table).statistics, recipe).model);
  }
}

TEST(Statistics, OfShardsMergeToThoseOfTheWholeAndSubtractAgain) {
  const Table table = random_table(900, 3, 3, 2);
  Statistics merged = statistics_of(rows_of(table, range(0, 300)));
  const Statistics second = statistics_of(rows_of(table, range(300, 900)));
  const Statistics first = merged;
  merged.merge(second);
  const Statistics whole = statistics_of(table);
  ASSERT_EQ(merged.classes().size(), whole.classes().size());
  for (std::size_t k = 0; k < whole.classes().size(); ++k) {
    EXPECT_EQ(merged.classes()[k].rows, whole.classes()[k].rows);
    EXPECT_LT(testing::largest_difference(merged.classes()[k].moments.scatter,
                                          whole.classes()[k].moments.scatter),
              1e-10);
  }
  EXPECT_TRUE(merged.subtract(second).empty());
  for (std::size_t k = 0; k < first.classes().size(); ++k)
    EXPECT_LT(testing::largest_difference(merged.classes()[k].moments.scatter,
                                          first.classes()[k].moments.scatter),
              1e-10);
}

TEST(Statistics, AddAClassOnce) {
  Statistics statistics = statistics_of(random_table(60, 2, 3, 4));
  const Moments moments = statistics.classes().front().moments;
  EXPECT_EQ(statistics.add_class("z", moments).moments, moments);
  EXPECT_EQ(error_of([&] { statistics.add_class("z", moments); }),
            "there is a class 'z' already | add to what of_class() gives");
  EXPECT_EQ(error_of([&] { statistics.add_class("y", Moments(3, Scatter::full)); }),
            "moments of another number of columns | give those of columns()");
}

TEST(Statistics, MatchColumnsByNameInAnyOrder) {
  const Table table = random_table(200, 3, 2, 3);
  Matrix reversed(200, 3);
  std::vector<std::string> labels;
  for (Index i = 0; i < 200; ++i) {
    for (Index j = 0; j < 3; ++j) reversed(i, j) = table.numbers(i, 2 - j);
    labels.push_back(
        table.classes[static_cast<std::size_t>(table.labels[static_cast<std::size_t>(i)])]);
  }
  Statistics twice = statistics_of(table), same = twice;
  twice.merge(statistics_of(make_table({"x2", "x1", "x0"}, reversed, labels)));
  same.merge(statistics_of(table));
  for (std::size_t k = 0; k < same.classes().size(); ++k)
    EXPECT_LT(testing::largest_difference(twice.classes()[k].moments.scatter,
                                          same.classes()[k].moments.scatter),
              1e-10);
}

TEST(Statistics, TakeANewClassAtAnyTime) {
  Statistics s = statistics_of(make_table({"a"}, Matrix(2, 1, {1, 2}), {"x", "x"}));
  s.merge(statistics_of(make_table({"a"}, Matrix(2, 1, {5, 7}), {"b", "b"})));
  ASSERT_EQ(s.classes().size(), 2U);
  EXPECT_EQ(s.classes()[0].name, "b");
  EXPECT_EQ(s.classes()[0].moments.mean[0], 6);
}

TEST(Statistics, ForgetAWholeClass) {
  Statistics s = statistics_of(random_table(100, 2, 3, 4));
  s.forget_class("c1");
  EXPECT_EQ(s.classes().size(), 2U);
  EXPECT_EQ(error_of([&] { s.forget_class("zzz"); }),
            "there is no class 'zzz' | the classes are 'c0', 'c2'");
}

TEST(Statistics, AClassWhoseRowsAreAllForgottenVanishes) {
  const Table table = random_table(60, 2, 2, 5);
  Statistics s = statistics_of(table);
  (void)s.subtract(statistics_of(table));
  EXPECT_TRUE(s.classes().empty());
}

/// Classes 0, 2, 4, ... or 1, 3, 5, ..., one row each, far from the order of their names.
Statistics of_many_classes(Index classes, Index first) {
  Matrix numbers(classes, 1);
  std::vector<std::string> labels;
  for (Index i = 0; i < classes; ++i) {
    numbers(i, 0) = static_cast<double>(i);
    labels.push_back("c" + std::to_string(2 * ((i * 7919) % classes) + first));
  }
  Statistics statistics;
  statistics.add(make_table({"a"}, numbers, labels));
  return statistics;
}

/// Each class among the others in turn would take minutes.
TEST(Statistics, OfManyClassesTakeNoLongerForEach) {
  constexpr Index classes = 50'000;  // if each moved those behind it, they would take minutes
  const std::clock_t start = std::clock();
  Statistics even = of_many_classes(classes, 0);
  const Statistics odd = of_many_classes(classes, 1), before = even;
  even.merge(odd);
  ASSERT_EQ(std::ssize(even.classes()), 2 * classes);
  EXPECT_TRUE(std::ranges::is_sorted(even.classes(), {}, &ClassStatistics::name));
  EXPECT_TRUE(even.subtract(odd).empty());
  EXPECT_EQ(even, before);
  EXPECT_LT(std::clock() - start, 60 * CLOCKS_PER_SEC);
}

TEST(Statistics, WarnWhenForgettingLeavesFewDigits) {
  Matrix x(40, 1);
  std::vector<std::string> labels(40, "a");
  for (Index i = 0; i < 40; ++i)
    x(i, 0) = i < 20 ? static_cast<double>(i % 5) : 1e5 * static_cast<double>(i);
  const Table table = make_table({"v"}, x, labels);
  Statistics s = statistics_of(table);
  const auto warnings = s.subtract(statistics_of(rows_of(table, range(20, 40))));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(
      in_words(warnings[0]).starts_with("warning: class 'a': the scatter shrank by a factor of"))
      << in_words(warnings[0]);
}

TEST(Statistics, RefuseToForgetMoreThanThereIs) {
  const Table small = random_table(30, 2, 2, 6), large = random_table(300, 2, 2, 6);
  Statistics s = statistics_of(small);
  EXPECT_NE(error_of([&] {
              (void)s.subtract(statistics_of(large));
            }).find("cannot be forgotten | forget only rows that were learned"),
            std::string::npos);
  EXPECT_EQ(s, statistics_of(small));
}

TEST(Statistics, RefuseOtherColumnsTargetsAndKinds) {
  Statistics s = statistics_of(make_table({"a", "b"}, Matrix(2, 2, {1, 2, 3, 5}), {"x", "y"}));
  const Statistics other =
      statistics_of(make_table({"a", "c"}, Matrix(2, 2, {1, 2, 3, 5}), {"x", "y"}));
  EXPECT_EQ(error_of([&] { s.merge(other); }),
            "the statistics have different columns: 'c' only on one side | make them from tables "
            "with the same columns (features, drop)");
  const Statistics diagonal =
      collect(make_table({"a", "b"}, Matrix(2, 2, {1, 2, 3, 5}), {"x", "y"}),
              {.scatter = Scatter::diagonal})
          .statistics;
  EXPECT_NE(error_of([&] { s.merge(diagonal); }).find("one side has full scatter matrices"),
            std::string::npos);
  Table renamed = make_table({"a", "b"}, Matrix(2, 2, {1, 2, 3, 5}), {"x", "y"});
  renamed.target = "kind";
  EXPECT_NE(error_of([&] { s.merge(statistics_of(renamed)); }).find("different targets"),
            std::string::npos);
}

TEST(Collect, RefusesOrDropsIncompleteRows) {
  Table table = random_table(50, 2, 2, 7);
  table.numbers(3, 1) = table.numbers(9, 1) = table.numbers(9, 0) = NAN;
  table.labels[20] = -1;
  EXPECT_EQ(
      error_of([&] { (void)collect(table); }),
      "2 of 50 rows have missing values in 'x0' (1), 'x1' (2); 1 row has no label in 'class' | "
      "use missing = drop to learn from the complete rows only");
  const Collected dropped = collect(table, {.missing = Missing::drop});
  EXPECT_EQ(dropped.statistics.weight(), 47);
  EXPECT_EQ(dropped.dropped_rows, 3);
  ASSERT_EQ(dropped.notes.size(), 1U);
  EXPECT_NE(in_words(dropped.notes[0]).find("3 rows dropped, 47 used"), std::string::npos);
}

TEST(Collect, SaysWhichRowsAndClassesHaveNoWeight) {
  Table table = random_table(60, 2, 3, 7);  // c0, c1, c2
  const auto notes_of = [&] {
    std::vector<std::string> texts;
    for (const Note& note : collect(table, {.missing = Missing::drop}).notes)
      texts.push_back(in_words(note));
    return texts;
  };
  table.weights.assign(60, 1);
  EXPECT_TRUE(notes_of().empty());
  const auto first = std::ranges::find(table.labels, 0) - table.labels.begin();
  table.weights[static_cast<std::size_t>(first)] = 0;
  EXPECT_EQ(notes_of(), std::vector<std::string>{"1 row of weight 0 is left out"});
  Index gone = 0;
  for (std::size_t i = 0; i < 60; ++i) {
    if (table.labels[i] != 2) continue;
    table.weights[i] = 0;
    ++gone;
  }
  EXPECT_EQ(notes_of(),
            std::vector<std::string>{"warning: " + counted(gone + 1, "row") +
                                     " of weight 0 are left out, and with them class 'c2' (" +
                                     counted(gone, "row") + ")"});
  table.numbers(std::ranges::find(table.labels, 1) - table.labels.begin(), 0) = NAN;
  EXPECT_TRUE(
      notes_of().back().ends_with("1 row dropped, " + std::to_string(60 - gone - 2) + " used"))
      << notes_of().back();
}

TEST(Statistics, RefuseToForgetRowsThatWereNotLearned) {
  const Table table = random_table(100, 2, 2, 6);
  const Statistics before = statistics_of(table);
  Statistics s = before;
  const Table foreign = make_table({"x0", "x1"}, Matrix(2, 2, {90, 3, -90, 1}), {"c0", "c0"});
  EXPECT_EQ(
      error_of([&] { (void)s.subtract(statistics_of(foreign)); }),
      "the rows to be forgotten are not among those that were learned | forget only rows that "
      "were learned, with the same weights");
  Table weighted = table;
  weighted.weights.assign(100, 2);
  Statistics heavy = statistics_of(weighted);
  EXPECT_NE(error_of([&] {
              (void)heavy.subtract(before);
            }).find("the weights are not those that were learned"),
            std::string::npos);
  EXPECT_EQ(s, before);
}

TEST(Collect, RefusesTablesWithoutLabels) {
  EXPECT_NE(error_of([] {
              (void)collect(make_table({"a"}, Matrix(2, 1, {1, 2})));
            }).find("the table has no label for each row"),
            std::string::npos);
  Statistics s(StatisticsSchema{.features = {{"a"}}, .target = "class"});
  EXPECT_NE(error_of([&] {
              s.add(make_table({"a"}, Matrix(2, 1, {1, 2})));
            }).find("the table has no label for each row"),
            std::string::npos);
}

TEST(Collect, RefusesStreamsWithoutLabelsAsTablesAre) {
  const std::string refusal =
      "the table has no label for each row | name the label column as target, or give one label "
      "per row";
  for (const Target& target : {Target::none(), Target::if_present("no such column")}) {
    RowStream rows("@iris", {}, {.target = target, .drop = {"species"}});
    EXPECT_EQ(error_of([&] { (void)collect(rows); }), refusal);
    EXPECT_EQ(error_of([&] { (void)fit(rows, lda()); }), refusal);
    EXPECT_EQ(error_of([&] { (void)fit(rows, mda()); }), refusal);
  }
  RowStream sparse(Source::text("1 1:2\n2 1:3\n", "t.svm"), {}, {.target = Target::none()});
  EXPECT_EQ(error_of([&] { (void)collect(sparse); }), refusal);
}

TEST(Collect, RefusesTablesWithoutFeaturesOrWithTooMany) {
  EXPECT_NE(error_of([] {
              (void)collect(make_table({}, Matrix(2, 0), {"x", "y"}));
            }).find("there is no feature column"),
            std::string::npos);
  std::vector<std::string> names;
  for (int j = 0; j < 20000; ++j) names.push_back(std::to_string(j));
  const Table wide = make_table(names, Matrix(2, 20000, 1.0), {"x", "y"});
  EXPECT_NE(error_of([&] { (void)collect(wide); }).find("2 classes and 20000 columns need 6 GB"),
            std::string::npos);
  EXPECT_EQ(collect(wide, {.scatter = Scatter::diagonal}).statistics.weight(), 2);
}

TEST(Collect, DoesNotAdviseWhatCannotHelp) {
  const double nan = std::nan("");
  Table table = make_table({"a", "b"}, Matrix(2, 2, {nan, nan, nan, nan}), {"x", "y"});
  EXPECT_EQ(error_of([&] { (void)collect(table); }),
            "2 of 2 rows have missing values in 'a' (2), 'b' (2) | give columns that have values");
  table = make_table({"a"}, Matrix(2, 1, {1, 2}), {"x", "y"});
  table.target = "t";
  table.labels = {-1, -1};
  for (const Missing missing : {Missing::refuse, Missing::drop})
    EXPECT_EQ(error_of([&] { (void)collect(table, {.missing = missing}); }),
              "2 rows have no label in 't' | give rows that have a label, or choose the column of "
              "class labels with target");
  EXPECT_EQ(error_of([&] { (void)fit(table, logistic()); }),
            "every label in 't' is missing | label some rows of each class, or find groups by "
            "clustering");
}

TEST(Collect, DoesNotAdviseWhatWasTried) {
  Table table = random_table(4, 2, 2, 3);
  for (Index i = 0; i < 4; ++i) table.numbers(i, i % 2) = NAN;
  EXPECT_NE(error_of([&] {
              (void)collect(table, {.missing = Missing::drop});
            }).find("| no row is complete: leave out the columns that miss most with drop"),
            std::string::npos);
}

TEST(Collect, SaysWhichColumnIsMissingEverywhere) {
  Table table = random_table(20, 2, 2, 3);
  for (Index i = 0; i < 20; ++i) table.numbers(i, 1) = NAN;
  for (const Missing policy : {Missing::refuse, Missing::drop})
    EXPECT_NE(error_of([&] {
                (void)collect(table, {.missing = policy});
              }).find("| leave the empty columns out: drop = x1"),
              std::string::npos);
}

TEST(Collect, RefusesInfiniteNumbersBadWeightsAndEmptyTables) {
  Table table = make_table({"a"}, Matrix(2, 1, {1, HUGE_VAL}), {"x", "y"});
  EXPECT_EQ(error_of([&] { (void)collect(table); }),
            "row 2: column 'a' is infinite | replace the value, or leave the cell empty if it is "
            "missing");
  table.numbers(1, 0) = 2;
  table.weights = {1, -1};
  EXPECT_EQ(error_of([&] { (void)collect(table); }),
            "row 2: the weight is -1 | weights must be finite numbers of at least 0");
  table.weights = {1, 1e308};
  EXPECT_EQ(error_of([&] { (void)collect(table); }),
            "row 2: the weight is 1e+308, which is too large to compute with | divide all weights "
            "by the same number");
  table.weights = {0, 0};
  EXPECT_NE(error_of([&] { (void)collect(table); }).find("there is no row to learn from"),
            std::string::npos);
}

TEST(Collect, WeightsMustHaveAllTheirDigits) {
  Table table = random_table(40, 2, 2, 8);
  table.weights.assign(40, 1e-308);
  const std::string said = error_of([&] { (void)collect(table); });
  EXPECT_TRUE(said.ends_with(
      "together, which is too little to compute with | multiply all weights by the same number"))
      << said;
  table.weights.assign(40, 1);
  table.weights.front() = 1e-308;
  EXPECT_TRUE(collect(table).notes.empty());
}

TEST(Collect, SaysWhenAClassWeighsLessThanARow) {
  Table table = make_table({"a"}, Matrix(4, 1, {1, 2, 3, 5}), {"x", "x", "y", "y"});
  table.weights = {0.25, 0.25, 1, 1};
  const std::vector<Note> notes = collect(table).notes;
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].kind, Note::Kind::warning);
  EXPECT_EQ(in_words(notes[0]),
            "warning: the 2 rows of class 'x' weigh 0.5 together, less than one row: whatever "
            "counts rows "
            "(BIC, shrinkage, smoothing, degrees of freedom) takes them so; if the weights are "
            "shares, multiply all of them by the same number, so that their mean is 1");
  table.weights = {0.5, 0.5, 1, 1};
  EXPECT_TRUE(collect(table).notes.empty());
}

TEST(Collect, RowsOfWeightZeroAreNotThere) {
  Table table = random_table(40, 2, 2, 8);
  table.weights.assign(40, 1);
  for (std::size_t i = 30; i < 40; ++i) table.weights[i] = 0;
  const Statistics expected = statistics_of(rows_of(table, range(0, 30)));
  const Statistics found = statistics_of(table);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(found.classes()[k].weight, expected.classes()[k].weight);
    EXPECT_LT(testing::largest_difference(found.classes()[k].moments.scatter,
                                          expected.classes()[k].moments.scatter),
              1e-11);
  }
}

}  // namespace
}  // namespace genera::statistics_test
