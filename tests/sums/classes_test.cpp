#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "support/problems.hpp"

namespace genera::classes_test {
namespace {

using testing::error_of;

constexpr std::array types{LabelType::text, LabelType::integer, LabelType::real,
                           LabelType::boolean};

/// Rows whose labels are these, one after the other.
Table labelled(const std::vector<std::string>& labels, Index rows) {
  Matrix numbers(rows, 1);
  std::vector<std::string> given;
  for (Index i = 0; i < rows; ++i) {
    numbers(i, 0) = std::sin(static_cast<double>(i));
    given.push_back(labels[static_cast<std::size_t>(i % std::ssize(labels))]);
  }
  return make_table({"a"}, std::move(numbers), given);
}

std::vector<std::string> numbers_up_to(int end) {
  std::vector<std::string> names;
  for (int k = 0; k < end; ++k) names.push_back(std::to_string(k));
  return names;
}

void expect_taken(Table table) {
  for (const LabelType type : types) {
    table.label_type = type;
    EXPECT_EQ(fit(table, lda()).model.classes().size(), table.classes.size()) << name_of(type);
  }
}

TEST(Classes, OfAKnownTypeAreNeverTakenForMeasurements) {
  const Table table = labelled(numbers_up_to(51), 200);
  EXPECT_NE(error_of([&] { (void)fit(table, lda()); }).find("it looks continuous"),
            std::string::npos);
  expect_taken(table);
}

TEST(Classes, OfAKnownTypeAreDifferentIfTheyAreWrittenDifferently) {
  for (const auto& labels : {std::vector<std::string>{"01234", "1234"}, {"1e1", "10"}}) {
    const Table table = labelled(labels, 40);
    EXPECT_NE(error_of([&] { (void)fit(table, lda()); }).find("written differently"),
              std::string::npos);
    expect_taken(table);
  }
}

TEST(Classes, OfAKnownTypeStaySoInStatistics) {
  Table table = labelled(numbers_up_to(51), 200);
  table.label_type = LabelType::integer;
  const Statistics statistics = collect(table).statistics;
  EXPECT_EQ(estimate(statistics, lda()).model, fit(table, lda()).model);
  const Statistics read = statistics_from_bytes(to_bytes(statistics, Format::cbor));
  EXPECT_EQ(read, statistics);
}

}  // namespace
}  // namespace genera::classes_test
