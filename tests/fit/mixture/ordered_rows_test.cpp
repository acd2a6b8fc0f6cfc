#include <gtest/gtest.h>

#include <genera/evaluate.hpp>

#include "support/problems.hpp"

namespace genera::ordered_rows_test {
namespace {

/// vowel_train has many maxima: before rows were sorted, shuffles differed by 140 nats.
TEST(OrderedRows, MakeASearchIndependentOfTheOrderOfRows) {
  for (const auto& [name, target] : {std::pair{"@vowel_train", "vowel"}, {"@crabs", "group"}}) {
    const Table table = read_csv(name, {.target = target});
    ClusterOptions options;
    options.mixture = {.components = {2, 6}, .starts = 4};
    const Clustering found = cluster(table, options);
    const Model of_classes = fit(table, mda({.components = {2, 2}})).model;
    for (unsigned seed = 1; seed <= 3; ++seed) {
      const std::vector<Index> order = testing::permutation(table.row_count, seed);
      const Rows rows = Rows(table).only(order);
      const Clustering again = cluster(rows, options);
      EXPECT_EQ(again.best, found.best);
      for (std::size_t i = 0; i < found.candidates.size(); ++i)
        EXPECT_NEAR(again.candidates[i].log_likelihood, found.candidates[i].log_likelihood, 1e-6);
      EXPECT_LT(testing::largest_difference(
                    log_joint(of_classes, table),
                    log_joint(fit(rows, mda({.components = {2, 2}})).model, table)),
                1e-6);
    }
  }
}

TEST(OrderedRows, PutMissingNumbersLast) {
  Table table = read_csv("@iris", {.target = "species"});
  for (Index i = 0; i < 150; i += 7) table.numbers(i, i % 4) = std::nan("");
  const Model found = fit(table, mda({.components = {2, 2}})).model;
  const std::vector<Index> order = testing::permutation(150, 1);
  const Model again = fit(Rows(table).only(order), mda({.components = {2, 2}})).model;
  EXPECT_LT(testing::largest_difference(log_joint(found, table), log_joint(again, table)), 1e-5);
}

}  // namespace
}  // namespace genera::ordered_rows_test
