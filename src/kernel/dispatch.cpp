#include "kernel/dispatch.hpp"

namespace genera::kernel {
namespace {

/// The checks of Highway's hwy/targets.cc, without features that every processor with the others
/// has.
std::int64_t find() {
  std::int64_t found = 0;
#if HWY_ARCH_X86
  __builtin_cpu_init();
  const auto all = [](auto... has) { return (has && ...); };
  const bool sse4 = all(__builtin_cpu_supports("sse4.1"), __builtin_cpu_supports("sse4.2"),
                        __builtin_cpu_supports("aes"), __builtin_cpu_supports("pclmul"));
  const bool avx2 = sse4 && all(__builtin_cpu_supports("avx"), __builtin_cpu_supports("avx2"),
                                __builtin_cpu_supports("fma"), __builtin_cpu_supports("bmi"),
                                __builtin_cpu_supports("bmi2"));
  const bool avx3 =
      avx2 && all(__builtin_cpu_supports("avx512f"), __builtin_cpu_supports("avx512vl"),
                  __builtin_cpu_supports("avx512dq"), __builtin_cpu_supports("avx512bw"));
  const bool avx3_dl =
      avx3 &&
      all(__builtin_cpu_supports("avx512vnni"), __builtin_cpu_supports("vpclmulqdq"),
          __builtin_cpu_supports("avx512vbmi"), __builtin_cpu_supports("avx512vbmi2"),
          __builtin_cpu_supports("avx512vpopcntdq"), __builtin_cpu_supports("avx512bitalg"));
  if (sse4) found |= HWY_SSE4 | HWY_SSSE3;
  if (avx2) found |= HWY_AVX2;
  if (avx3) found |= HWY_AVX3;
  if (avx3_dl) found |= HWY_AVX3_DL;
#endif
  return found;
}

}  // namespace

std::int64_t instruction_sets() {
  static const std::int64_t found = find();
  return found;
}

}  // namespace genera::kernel
