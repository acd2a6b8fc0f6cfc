#include "kernel/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace genera::kernel::parallel_test {
namespace {

std::vector<int> finished_order(int threads, int tasks) {
  std::vector<int> order;
  int next = 0;
  run_in_order(threads, [&]() -> std::optional<Task> {
    if (next == tasks) return std::nullopt;
    return [&order, i = next++]() -> Finish { return [&order, i] { order.push_back(i); }; };
  });
  return order;
}

TEST(RunInOrder, FinishesInTheOrderOfProductionForAnyNumberOfThreads) {
  const std::vector<int> expected = finished_order(1, 200);
  ASSERT_EQ(expected.size(), 200U);
  EXPECT_TRUE(std::is_sorted(expected.begin(), expected.end()));
  for (const int threads : {2, 3, 8}) EXPECT_EQ(finished_order(threads, 200), expected);
}

std::string first_error(int threads, std::vector<int>& order) {
  int next = 0;
  try {
    run_in_order(threads, [&]() -> std::optional<Task> {
      if (next == 100) return std::nullopt;
      return [&order, i = next++]() -> Finish {
        if (i == 17 || i == 18) throw std::runtime_error("part " + std::to_string(i));
        return [&order, i] { order.push_back(i); };
      };
    });
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "none";
}

TEST(RunInOrder, TheEarliestExceptionComesOutAfterAllBeforeItFinished) {
  for (const int threads : {1, 2, 5}) {
    std::vector<int> order;
    EXPECT_EQ(first_error(threads, order), "part 17");
    EXPECT_EQ(order.size(), 17U);
  }
}

TEST(RunInOrder, AnExceptionOfTheProducerComesOut) {
  for (const int threads : {1, 4}) {
    int produced = 0;
    const auto produce = [&]() -> std::optional<Task> {
      if (++produced == 5) throw std::runtime_error("no more");
      return []() -> Finish { return [] {}; };
    };
    EXPECT_THROW(run_in_order(threads, produce), std::runtime_error);
  }
}

TEST(ParallelFor, CallsEachIndexOnce) {
  for (const int threads : {1, 2, 7}) {
    std::vector<std::atomic<int>> calls(50);
    parallel_for(50, threads, [&](Index i) { ++calls[static_cast<std::size_t>(i)]; });
    for (const auto& count : calls) EXPECT_EQ(count, 1);
  }
}

TEST(ParallelFor, CallsAfterInOrderAndEndsWhenItThrows) {
  for (const int threads : {1, 4}) {
    std::vector<std::atomic<int>> calls(100);
    std::vector<Index> after;
    const auto stop = [&](Index i) {
      after.push_back(i);
      if (i == 9) throw std::runtime_error("enough");
    };
    EXPECT_THROW(parallel_for(
                     100, threads, [&](Index i) { ++calls[static_cast<std::size_t>(i)]; }, stop),
                 std::runtime_error);
    ASSERT_EQ(after.size(), 10U);
    for (Index i = 0; i < 10; ++i) EXPECT_EQ(after[static_cast<std::size_t>(i)], i);
    EXPECT_EQ(calls[99], 0);
  }
}

}  // namespace
}  // namespace genera::kernel::parallel_test
