#include "kernel/lent.hpp"

#include <atomic>
#include <stdexcept>

#include <gtest/gtest.h>

#include "kernel/parallel.hpp"

namespace genera::lent_test {
namespace {

TEST(Lent, MakesNoMoreThanAreInUse) {
  std::atomic<int> made = 0;
  kernel::Lent<int> numbers([&] { return ++made; });
  kernel::parallel_for(1000, 4, [&](Index) { numbers.use([](int& number) { number += 10; }); });
  EXPECT_LE(made, 4);
}

TEST(Lent, ForgetsWhatWasInUseWhenWorkFailed) {
  int made = 0;
  kernel::Lent<int> numbers([&] { return ++made; });
  EXPECT_THROW(numbers.use([](int&) { throw std::runtime_error("no"); }), std::runtime_error);
  numbers.use([](int& number) { EXPECT_EQ(number, 2); });
}

}  // namespace
}  // namespace genera::lent_test
