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
