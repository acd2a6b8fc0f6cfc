#include <gtest/gtest.h>

#include <genera/diagnosis.hpp>

#include "support/problems.hpp"

namespace genera::outliers_test {
namespace {

using testing::random_table;

/// Clean rows of one class, the first of which are far away, all together.
Table contaminated(Index n, Index d, Index bad, double far) {
  Table table = random_table(n, d, 1, 77);
  for (Index i = 0; i < bad; ++i) {
    for (Index j = 0; j < d; ++j)
      table.numbers(i, j) = far + 0.1 * table.numbers(i, j) + static_cast<double>(j);
  }
  return table;
}

TEST(Outliers, InACrowdAreFound) {  // which distances from the mean of all rows would not see
  for (const Index d : {2, 6}) {
    const Index bad = 30;
    const Outliers found =
        diagnose(contaminated(200, d, bad, 60), {.max_outliers = 1000}).outliers.result.value();
    Index right = 0;
    for (const OutlyingRow& row : found.rows) right += row.row < bad ? 1 : 0;
    EXPECT_EQ(right, bad) << d;
    EXPECT_LE(found.count, bad + 2) << d;
  }
}

TEST(Outliers, AreRareAmongGaussianRows) {
  Index tables = 0, flagged = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    for (const Index d : {1, 3, 8}) {
      ++tables;
      flagged += diagnose(random_table(60, d, 1, seed)).outliers.result->count > 0 ? 1 : 0;
    }
  }
  EXPECT_LT(static_cast<double>(flagged) / static_cast<double>(tables), 0.2);
}

TEST(Outliers, WithAnotherLabelFitTheOtherClass) {
  Table table = read_csv(std::string("@iris"));
  table.labels[10] = 2;  // a setosa said to be a virginica
  const Outliers found = diagnose(table).outliers.result.value();
  ASSERT_FALSE(found.rows.empty());
  EXPECT_EQ(found.rows[0].row, 10);
  EXPECT_EQ(found.rows[0].line, 12);
  EXPECT_EQ(found.rows[0].name, "virginica");
  EXPECT_EQ(found.rows[0].fits, "setosa");
}

TEST(Outliers, AreNamedWithTheColumnToBlame) {
  Table table = random_table(100, 3, 2, 31);
  const double right = table.numbers(40, 1);
  table.numbers(40, 1) = right + 1000;
  const Outliers found = diagnose(table).outliers.result.value();
  ASSERT_FALSE(found.rows.empty());
  EXPECT_EQ(found.rows[0].row, 40);
  EXPECT_EQ(found.rows[0].column, "x1");
  EXPECT_EQ(found.rows[0].value, right + 1000);
  EXPECT_GT(found.rows[0].deviations, 50);
}

}  // namespace
}  // namespace genera::outliers_test
