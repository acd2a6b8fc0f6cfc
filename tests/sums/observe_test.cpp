#include "sums/observe.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <genera/error.hpp>

#include "sums/classes.hpp"
#include "sums/summarise.hpp"
#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

namespace genera::sums {
namespace {

using testing::error_of;
using testing::random_table;
using testing::with_missing;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

ObservedStatistics of(const Rows& rows, int threads = 1) {
  return observe(rows, {{Scatter::diagonal}}, {.threads = threads});
}

/// Rows far from zero, with missing cells and labels, and with weights.
Table far_table(Index n) {
  Table table = with_missing(random_table(n, 3, 2, 4), 0.2, 5);
  for (double& x : std::span(table.numbers.data(), static_cast<std::size_t>(3 * n))) x += 1e8;
  for (Index i = 0; i < n; ++i) {
    if (i % 5 == 0) table.labels[static_cast<std::size_t>(i)] = -1;
    table.weights.push_back(static_cast<double>(i % 4));
  }
  return table;
}

struct Direct {
  long double weight = 0, mean = 0, scatter = 0;
};

Direct direct(const Table& table, std::int32_t label, Index j) {
  Direct d;
  const auto each = [&](auto visit) {
    for (Index i = 0; i < table.numbers.rows(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (table.labels[at] == label && !std::isnan(table.numbers(i, j)))
        visit(static_cast<long double>(table.weights[at]), table.numbers(i, j));
    }
  };
  each([&](long double w, long double x) {
    d.weight += w;
    d.mean += w * (x - 1e8L);
  });
  d.mean = 1e8L + d.mean / d.weight;
  each([&](long double w, long double x) { d.scatter += w * (x - d.mean) * (x - d.mean); });
  return d;
}

void expect_column(const ColumnMoments& found, std::size_t j, const Direct& expected) {
  EXPECT_EQ(found.weight[j], static_cast<double>(expected.weight));
  const long double mean = static_cast<long double>(found.mean[j]) + found.mean_low[j];
  EXPECT_NEAR(static_cast<double>(mean - expected.mean), 0, 1e-12);
  EXPECT_NEAR(found.scatter[j] / static_cast<double>(expected.scatter), 1, 1e-12);
}

TEST(Observe, IsMeanAndScatterOfTheValuesThatAreThere) {
  const Table table = far_table(40000);  // several chunks
  const ObservedStatistics found = of(table);
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::int32_t k = 0; k < 2; ++k)
      expect_column(found.labelled.numbers.at(table.classes[static_cast<std::size_t>(k)]), j,
                    direct(table, k, static_cast<Index>(j)));
    expect_column(found.unlabelled.numbers.at(""), j, direct(table, -1, static_cast<Index>(j)));
  }
}

TEST(Observe, HasTheSameBitsForAnyNumberOfThreads) {
  const Table table = far_table(40000);
  EXPECT_EQ(of(table), of(table, 4));
}

TEST(Observe, AddsUp) {
  const Table table = far_table(301);
  ObservedStatistics merged;
  for (const auto& [begin, end] : {std::pair<Index, Index>{0, 100}, {100, 100}, {100, 301}})
    merged.merge(of(Rows(table).between(begin, end)));
  const ObservedStatistics whole = of(table);
  for (const auto& [name, moments] : whole.labelled.numbers) {
    const ColumnMoments& other = merged.labelled.numbers.at(name);
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_EQ(other.weight[j], moments.weight[j]);
      EXPECT_NEAR((other.mean[j] - moments.mean[j]) + (other.mean_low[j] - moments.mean_low[j]), 0,
                  1e-14);
      EXPECT_NEAR(other.scatter[j], moments.scatter[j], 1e-12 * moments.scatter[j]);
    }
  }
}

TEST(Observe, MatchesColumnsByName) {
  const Table ab = make_table({"a", "b"}, Matrix(2, 2, {1, 10, 2, nan}), {"x", "y"});
  const Table ba = make_table({"b", "a"}, Matrix(2, 2, {20, 3, 30, nan}), {"x", "x"});
  ObservedStatistics merged = of(ab);
  merged.merge(of(ba));
  const ColumnMoments& x = merged.labelled.numbers.at("x");
  EXPECT_EQ(x.weight, (Vector{2, 3}));
  EXPECT_DOUBLE_EQ(x.mean[0], 2);
  EXPECT_DOUBLE_EQ(x.mean[1], 20);
  EXPECT_DOUBLE_EQ(x.scatter[0], 2);
  EXPECT_DOUBLE_EQ(x.scatter[1], 200);
  EXPECT_EQ(merged.labelled.numbers.at("y").weight, (Vector{1, 0}));
}

TEST(Observe, CountsWhatIsMissingAndWhatIsLeftOut) {
  const Table table =
      testing::table_of({{"colour", ColumnType::categorical}, {"size", ColumnType::numeric}},
                        {{"red", "1", "a"}, {"", "2", "a"}, {"red", "", "b"}, {"blue", "3", ""}});
  const ObservedStatistics found = observe(table, {{Scatter::diagonal}, false}, {});
  EXPECT_EQ(found.missing_cells, (std::map<std::string, Index>{{"colour", 1}}));
  EXPECT_EQ(found.unlabelled_left_out, 1);
  EXPECT_TRUE(found.unlabelled.numbers.empty());
  EXPECT_EQ(of(table).unlabelled.counted.classes().front().rows, 1);
}

/// Sums of the complete rows that are known already take the place of these rows.
TEST(Observe, BeginsWithSumsOfCompleteRows) {
  const Table table = far_table(500);
  const ObservedStatistics whole = of(table);
  const std::vector<bool> left_out = rows_left_out(table);
  std::vector<Index> others;
  for (Index i = 0; i < 500; ++i)
    if (left_out[static_cast<std::size_t>(i)]) others.push_back(i);
  for (const Scatter scatter : {Scatter::full, Scatter::diagonal}) {
    const Summary summary = summarise(table, {{scatter}, Missing::em});
    const ObservedStatistics found =
        observe(Rows(table).only(others), {{Scatter::diagonal}, true, &summary.statistics}, {});
    ASSERT_EQ(found.labelled.numbers.size(), 2U);
    for (const auto& [name, expected] : whole.labelled.numbers) {
      const ColumnMoments& numbers = found.labelled.numbers.at(name);
      EXPECT_EQ(numbers.weight, expected.weight);
      for (std::size_t j = 0; j < 3; ++j) {
        EXPECT_NEAR(numbers.mean[j] - expected.mean[j], 0, 1e-7);  // 1e-15 of 1e8
        EXPECT_NEAR(numbers.scatter[j], expected.scatter[j], 1e-12 * expected.scatter[j]);
      }
    }
    EXPECT_EQ(found.unlabelled, whole.unlabelled);
    EXPECT_EQ(rows_of(found.labelled.counted), rows_of(whole.labelled.counted));
    EXPECT_EQ(found.labelled.counted.weight(), whole.labelled.counted.weight());
  }
}

TEST(Observe, RefusesInfiniteValues) {
  const double infinity = std::numeric_limits<double>::infinity();
  Table table = make_table({"a"}, Matrix(2, 1, {1, infinity}), {"x", "y"});
  EXPECT_NE(error_of([&] { (void)of(table); }).find("column 'a' is infinite"), std::string::npos);
  table.labels[1] = -1;
  EXPECT_NE(error_of([&] { (void)of(table); }).find("column 'a' is infinite"), std::string::npos);
}

}  // namespace
}  // namespace genera::sums
