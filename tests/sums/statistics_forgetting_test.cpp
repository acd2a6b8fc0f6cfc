#include <algorithm>

#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

namespace genera::forgetting_test {
namespace {

using testing::Cells;
using testing::counted;
using testing::mixed_columns;
using testing::table_of;

/// Rows whose label is not `gone`.
std::vector<Cells> without(const std::vector<Cells>& rows, const std::string& gone) {
  std::vector<Cells> left;
  std::ranges::copy_if(rows, std::back_inserter(left),
                       [&](const Cells& row) { return row.back() != gone; });
  return left;
}

/// Names in any order, as statistics hold them.
std::vector<std::vector<std::string>> all_names(const Statistics& statistics) {
  std::vector<std::vector<std::string>> names;
  for (const auto* sets : {&statistics.levels(), &statistics.terms()}) {
    for (const NameSet& set : *sets) {
      names.push_back(set.names());
      std::ranges::sort(names.back());
    }
  }
  return names;
}

class ForgettingAClass : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    for (Cells row : testing::mixed_rows(200, 11)) {
      if (row.back() == "b") row[2] = row[2] + " of b";  // a level that nobody else has
      rows_.push_back(row);
    }
  }
  std::vector<Cells> rows_;
};

TEST_P(ForgettingAClass, IsNeverHavingLearnedIt) {
  const Statistics never = counted(table_of(mixed_columns(), without(rows_, "b")), GetParam());
  Statistics forgotten = counted(table_of(mixed_columns(), rows_), GetParam());
  forgotten.forget_class("b");
  const Statistics clean = without_unused_names(forgotten);
  EXPECT_EQ(testing::by_name(clean), testing::by_name(never));
  EXPECT_EQ(all_names(clean), all_names(never));
  Recipe recipe = qda();
  recipe.discrete.joint = GetParam();
  EXPECT_EQ(estimate(forgotten, recipe).model, estimate(never, recipe).model);
  EXPECT_EQ(estimate(clean, recipe).model, estimate(never, recipe).model);
}

TEST_P(ForgettingAClass, ByItsRowsLeavesNoNamesEither) {
  const Statistics never = counted(table_of(mixed_columns(), without(rows_, "b")), GetParam());
  std::vector<Cells> gone;
  std::ranges::copy_if(rows_, std::back_inserter(gone),
                       [](const Cells& row) { return row.back() == "b"; });
  Statistics forgotten = counted(table_of(mixed_columns(), rows_), GetParam());
  (void)forgotten.subtract(counted(table_of(mixed_columns(), gone), GetParam()));
  EXPECT_EQ(all_names(without_unused_names(forgotten)), all_names(never));
}

INSTANTIATE_TEST_SUITE_P(NaivelyAndJointly, ForgettingAClass, ::testing::Bool());

/// Two classes; the first half of the rows varies in all columns, in the other half column 1 has
/// one value. Weights are those of the rows.
Table half_constant(double value, std::vector<Index>& gone, std::vector<Index>& kept) {
  Table table = testing::random_table(400, 3, 2, 21);
  for (Index i = 200; i < 400; ++i) table.numbers(i, 1) = value;
  gone = testing::range(0, 200);
  kept = testing::range(200, 400);
  return table;
}

class ForgettingWhatVaried : public ::testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(ConstantsAt, ForgettingWhatVaried,
                         ::testing::Values(0.7, 0.0, -3e-5, 1e-12, 1e6));

TEST_P(ForgettingWhatVaried, LeavesAConstantAndNotItsRounding) {
  std::vector<Index> gone, kept;
  const Table all = half_constant(GetParam(), gone, kept);
  for (const Scatter scatter : {Scatter::full, Scatter::diagonal}) {
    const auto sums = [&](const Table& table) {
      return collect(table, {.scatter = scatter}).statistics;
    };
    Statistics forgotten = sums(all);
    const std::vector<Note> notes = forgotten.subtract(sums(testing::rows_of(all, gone)));
    const Statistics never = sums(testing::rows_of(all, kept));
    for (std::size_t k = 0; k < 2; ++k) {
      const Moments& left = forgotten.classes()[k].moments;
      EXPECT_EQ(left.scatter(scatter == Scatter::full ? 1 : 0, 1), 0);
      if (scatter == Scatter::full) {
        EXPECT_EQ(left.scatter(0, 1), 0);
        EXPECT_EQ(left.scatter(1, 2), 0);
      }
      EXPECT_GT(left.scatter(0, 0), 1);
    }
    ASSERT_EQ(notes.size(), 2U);
    EXPECT_NE(in_words(notes[0]).find("'x1' is left, which is within the rounding of forgetting"),
              std::string::npos)
        << in_words(notes[0]);
    const Model model = estimate(forgotten, gaussian_naive_bayes()).model;
    const Model expected = estimate(never, gaussian_naive_bayes()).model;
    EXPECT_EQ(model.features(), expected.features());  // without the constant
    const Table rows = testing::rows_of(all, kept);
    EXPECT_LT(testing::largest_difference(posterior(model, rows), posterior(expected, rows)),
              1e-12);
  }
}

/// Whole numbers are added without rounding, so that a row of so many is not rounding.
TEST(Forgetting, OfManyLeavesTheFew) {
  const std::vector<Column> columns{{"n", ColumnType::count}, {"c", ColumnType::categorical}};
  Table many = table_of(columns, {{"1", "x", "a"}, {"20000000000", "x", "a"}});
  Table max = table_of(columns, {{"20000000000", "x", "a"}});
  Statistics s = counted(many);
  (void)s.subtract(counted(max));
  EXPECT_EQ(s.classes().front().counts.sums, Vector{1});
  many.weights = {1, 3e9};
  max.weights = {3e9};
  s = counted(many);
  (void)s.subtract(counted(max));
  EXPECT_EQ(s.classes().front().levels.front(), Vector{1});
}

/// As many rows as there are, but not the same.
TEST(Forgetting, AWholeClassByOtherRowsIsRefused) {
  const Table table = testing::random_table(40, 3, 2, 12);
  for (const double away : {100.0, 1e6}) {
    for (const Index changed : {1, 40}) {
      Table others = table;
      for (Index i = 0; i < changed; ++i) others.numbers(i, 1) += away;
      Statistics statistics = collect(table).statistics;
      const Statistics before = statistics;
      EXPECT_THROW((void)statistics.subtract(collect(others).statistics), Error);
      EXPECT_EQ(statistics, before);
      EXPECT_NO_THROW((void)statistics.subtract(before));
    }
  }
}

TEST(Forgetting, AConstantClassByOtherRowsIsRefused) {
  const auto sums = [](double value) {
    return collect(make_table({"x"}, Matrix(3, 1, {value, 1, 2}), {"a", "b", "b"})).statistics;
  };
  for (const double learned : {5.0, 0.0, -1e6}) {
    Statistics statistics = sums(learned);
    const Statistics before = statistics;
    EXPECT_EQ(testing::error_of([&] { (void)statistics.subtract(sums(500)); }),
              "the rows to be forgotten are not among those that were learned | forget only rows "
              "that were learned, with the same weights");
    EXPECT_EQ(statistics, before);
    EXPECT_NO_THROW((void)statistics.subtract(before));
  }
}

/// Whatever rounding is left of what varied before.
TEST_P(ForgettingWhatVaried, IsFollowedByTheRest) {
  std::vector<Index> gone, kept;
  const Table all = half_constant(GetParam(), gone, kept);
  Statistics statistics = collect(all).statistics;
  (void)statistics.subtract(collect(testing::rows_of(all, gone)).statistics);
  EXPECT_NO_THROW((void)statistics.subtract(collect(testing::rows_of(all, kept)).statistics));
}

TEST(Forgetting, SparseColumnsLeavesNoRoundingAsScatter) {
  Matrix rows(60, 1);
  std::vector<std::string> labels;
  Rng rng(5);
  for (Index i = 0; i < 60; ++i) {
    rows(i, 0) = i < 40 ? rng.normal() : 0.7;
    labels.emplace_back(i % 2 == 0 ? "k" : "l");
  }
  const auto some = [&](Index begin, Index end) {
    Matrix part(end - begin, 1);
    for (Index i = begin; i < end; ++i) part(i - begin, 0) = rows(i, 0);
    return testing::sparse_table(
        part, {labels.begin() + static_cast<long>(begin), labels.begin() + static_cast<long>(end)});
  };
  Statistics s = counted(some(0, 60));
  (void)s.subtract(counted(some(0, 40)));
  for (const ClassStatistics& c : s.classes()) EXPECT_EQ(c.terms.front().scatter, Vector{0});
}

TEST(UnusedNames, OfNumbersAndOfWhatIsUsedDoNotExist) {
  const Statistics numbers = collect(testing::random_table(50, 2, 3, 1)).statistics;
  EXPECT_EQ(without_unused_names(numbers), numbers);
  const Statistics mixed = counted(testing::mixed_table(100, 3));
  EXPECT_EQ(without_unused_names(mixed), mixed);
  EXPECT_EQ(without_unused_names(Statistics()), Statistics());
}

TEST(UnusedNames, OfSparseColumnsAreLeftOut) {
  const Matrix rows(3, 3, {1, 0, 2, 0, 0, -3, 4, 5, 3});
  Statistics s = counted(testing::sparse_table(rows, {"k", "k", "l"}));
  const Statistics never = counted(testing::sparse_table({2, 3, {1, 0, 2, 0, 0, -3}}, {"k", "k"}));
  s.forget_class("l");
  EXPECT_EQ(without_unused_names(s), never);
}

}  // namespace
}  // namespace genera::forgetting_test
