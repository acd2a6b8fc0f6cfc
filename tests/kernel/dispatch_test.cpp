#include "kernel/dispatch.hpp"

#include <gtest/gtest.h>

namespace genera::kernel::dispatch_test {
namespace {

TEST(InstructionSets, AreThoseThatHighwayFinds) {
#if HWY_ARCH_X86
  constexpr std::int64_t known = HWY_SSSE3 | HWY_SSE4 | HWY_AVX2 | HWY_AVX3 | HWY_AVX3_DL;
  EXPECT_EQ(instruction_sets() & ~known, 0);
  EXPECT_EQ(instruction_sets(), hwy::SupportedTargets() & known);
#else
  EXPECT_EQ(instruction_sets(), 0);
#endif
}

}  // namespace
}  // namespace genera::kernel::dispatch_test
