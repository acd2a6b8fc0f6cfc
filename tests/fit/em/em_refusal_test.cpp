// Sums of partitions that do not belong together.
#include <string>

#include <gtest/gtest.h>

#include <genera/em.hpp>
#include <genera/fit.hpp>
#include <genera/io.hpp>

#include "fit/em/divided_tables.hpp"
#include "support/problems.hpp"

namespace genera::partitions_refusal_test {
namespace {

using namespace partitioned;
using testing::error_of;

/// Sums of one plan, and the key of another.
struct Sums {
  explicit Sums(const Text& text, FitOptions options = {})
      : table(text.table()),
        plan(observe(table, lda(), options), lda(), options),
        rows(plan, table) {}
  Table table;
  EmPlan plan;
  EmRows rows;
};

TEST(Partitions, AreRefusedIfTheyBelongToAnotherPlan) {
  const Text text = numbers(0, 0.15);
  const Sums some(text), others(numbers(1, 0.15)), weighted(text, {.unlabelled_weight = 2});
  const std::string bytes = to_bytes(some.rows.complete());
  EXPECT_NE(error_of([&] {
              (void)expected_sums_from_bytes(bytes, others.plan);
            }).find("is the key of another EM plan"),
            std::string::npos);
  EXPECT_NE(some.plan.key(), weighted.plan.key());
  EXPECT_EQ(some.plan.key(), Sums(text).plan.key());
  EXPECT_NE(error_of([&] {
              (void)pattern_sums_from_bytes(to_bytes(some.rows.patterns(some.plan.start())),
                                            others.plan);
            }).find("is the key of another EM plan"),
            std::string::npos);
  ExpectedSums sums = some.rows.complete();
  EXPECT_NE(error_of([&] { sums.merge(others.rows.complete()); }).find("different EM plans"),
            std::string::npos);
  EXPECT_NE(error_of([&] { Em(others.plan, some.rows.complete()); }).find("another EM plan"),
            std::string::npos);
  const Table fewer = numbers(0, 0.15).table(0, 60);
  EXPECT_NE(error_of([&] {
              (void)some.rows.expect(fit(fewer, gaussian_naive_bayes()).model);
            }).find("does not belong to the EM plan"),
            std::string::npos);
}

TEST(Partitions, AreRefusedIfOneIsMissing) {
  const Sums all(numbers(0, 0.15));
  const Table half = numbers(0, 0.15).table(0, 200);
  const EmRows rows(all.plan, half);
  EXPECT_EQ(error_of([&] { Em(all.plan, rows.complete()); }),
            "the sums are of rows of weight 200, those of the plan have 420 | merge the sums of "
            "all partitions, each once");
  EXPECT_EQ(error_of([&] { Em(all.plan, ExpectedSums()); }),
            "the sums are empty | merge the sums of all partitions");
  Em em(all.plan, all.rows.complete());
  EXPECT_NE(error_of([&] { em.accept(rows.expect(em.model())); }).find("of weight 200"),
            std::string::npos);
  EXPECT_EQ(error_of([&] { (void)em.result({}); }),
            "EM is not done | accept expected sums until it is");
  while (!em.done()) em.accept(all.rows.expect(em.model()));
  EXPECT_EQ(error_of([&] { (void)em.result({}); }),
            "the patterns of the rows are missing | merge those of all partitions");
  EXPECT_EQ(error_of([&] { em.accept(all.rows.expect(em.model())); }),
            "EM is done | take its result");
}

TEST(Partitions, WithAClassThatIsNotInThePlanAreRefused) {
  const Sums some(numbers(0, 0.15));
  Text other = numbers(0, 0.15);
  other.rows[7].back() = "new";
  const Table table = other.table();
  EXPECT_NE(error_of([&] { EmRows(some.plan, table); }).find("the EM plan has no class 'new'"),
            std::string::npos);
}

TEST(Partitions, RefuseWeightsThatAreTooSmall) {
  Table table = numbers(0, 0.15).table();
  table.weights.assign(table.labels.size(), 1e-300);
  EXPECT_NE(error_of([&] {
              EmPlan(observe(table, lda()), lda());
            }).find("which is too little to compute with"),
            std::string::npos);
}

TEST(Partitions, RefuseWhatNeedsAllRows) {
  const Table table = numbers(0, 0.15).table();
  EXPECT_NE(error_of([&] { (void)observe(table, mda()); }).find("all rows in one place"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              (void)observe(table, lda(), {.missing = Missing::drop});
            }).find("EM learns from rows with missing values"),
            std::string::npos);
}

}  // namespace
}  // namespace genera::partitions_refusal_test
