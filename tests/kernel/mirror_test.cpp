#include "kernel/mirror.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace genera::mirror_test {
namespace {

TEST(MirrorLower, CopiesEveryEntryBelowTheDiagonal) {
  for (const Index d : {0, 1, 2, 15, 16, 17, 33, 50}) {
    Matrix s(d, d, -1);
    for (Index i = 0; i < d; ++i) {
      for (Index j = 0; j <= i; ++j) s(i, j) = static_cast<double>(1000 * i + j);
    }
    kernel::mirror_lower(s.data(), d);
    for (Index i = 0; i < d; ++i) {
      for (Index j = 0; j < d; ++j)
        ASSERT_EQ(s(i, j), static_cast<double>(1000 * std::max(i, j) + std::min(i, j)));
    }
  }
}

}  // namespace
}  // namespace genera::mirror_test
