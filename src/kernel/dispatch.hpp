#pragma once

#include <cstdint>

#include <hwy/highway.h>

// A kernel is compiled for several instruction sets; the best one that the processor supports is
// called:
//
//   GENERA_EXPORT(Kernel);                  // in the namespace that encloses the instruction sets
//   GENERA_DISPATCH(Kernel)(arguments...);
//
// This replaces HWY_EXPORT and HWY_DYNAMIC_DISPATCH without the shared library of Highway, which
// measures clocks whenever a process loads it and so adds 4 ms to each start (docs/decisions/0029).

namespace genera::kernel {

/// The instruction sets that the processor and the system support, as a mask of Highway's targets.
[[nodiscard]] std::int64_t instruction_sets();

}  // namespace genera::kernel

#if HWY_ARCH_X86 && !HWY_IDE && (HWY_TARGETS & (HWY_TARGETS - 1)) != 0

#define GENERA_EXPORT(name)                                                       \
  static decltype(&HWY_STATIC_DISPATCH(name)) const HWY_CONCAT(name, Table)[] = { \
      nullptr, HWY_CHOOSE_TARGET_LIST(name), HWY_CHOOSE_FALLBACK(name)}
#define GENERA_DISPATCH(name)                                                                     \
  (*HWY_CONCAT(name, Table)[hwy::Num0BitsBelowLS1Bit_Nonzero64(                                   \
      static_cast<std::uint64_t>((HWY_CHOSEN_TARGET_SHIFT(::genera::kernel::instruction_sets()) | \
                                  HWY_CHOSEN_TARGET_MASK_SCALAR) &                                \
                                 HWY_CHOSEN_TARGET_MASK_TARGETS))])

#else

#define GENERA_EXPORT HWY_EXPORT
#define GENERA_DISPATCH HWY_DYNAMIC_DISPATCH

#endif
