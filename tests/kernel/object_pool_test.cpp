#include "kernel/object_pool.hpp"

#include <atomic>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/parallel.hpp"

namespace genera::lent_test {
namespace {

TEST(FreeList, GivesWhatItWasGiven) {
  kernel::FreeList<std::vector<int>> unused;
  EXPECT_FALSE(unused.take());
  unused.give({1, 2});
  EXPECT_EQ(unused.take(), (std::vector<int>{1, 2}));
  EXPECT_FALSE(unused.take());
}

TEST(ObjectPool, MakesNoMoreThanAreInUse) {
  std::atomic<int> made = 0;
  kernel::ObjectPool<int> numbers([&] { return ++made; });
  kernel::parallel_for(1000, 4, [&](Index) { numbers.use([](int& number) { number += 10; }); });
  EXPECT_LE(made, 4);
}

TEST(ObjectPool, ForgetsWhatWasInUseWhenWorkFailed) {
  int made = 0;
  kernel::ObjectPool<int> numbers([&] { return ++made; });
  EXPECT_THROW(numbers.use([](int&) { throw std::runtime_error("no"); }), std::runtime_error);
  numbers.use([](int& number) { EXPECT_EQ(number, 2); });
}

}  // namespace
}  // namespace genera::lent_test
