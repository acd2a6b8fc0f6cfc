#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace genera::kernel {

// Several bytes as one integer, with the first byte lowest on every machine. Compilers turn each
// function into one instruction.

[[nodiscard]] inline std::uint64_t four_bytes(const char* at) {
  const auto byte = [at](int i) { return std::uint64_t{static_cast<unsigned char>(at[i])}; };
  return byte(0) | byte(1) << 8U | byte(2) << 16U | byte(3) << 24U;
}

[[nodiscard]] inline std::uint64_t eight_bytes(const char* at) {
  return four_bytes(at) | four_bytes(at + 4) << 32U;
}

inline void put_eight_bytes(char* at, std::uint64_t bytes) {
  const auto byte = [bytes](unsigned i) { return static_cast<char>(bytes >> (8 * i)); };
  at[0] = byte(0), at[1] = byte(1), at[2] = byte(2), at[3] = byte(3);
  at[4] = byte(4), at[5] = byte(5), at[6] = byte(6), at[7] = byte(7);
}

/// How many of the bytes in [at, end) are `wanted`.
[[nodiscard]] inline std::ptrdiff_t count_byte(const char* at, const char* end, char wanted) {
  constexpr std::uint64_t ones = 0x0101010101010101U, sevens = 0x7f * ones,
                          pairs = 0x00ff00ff00ff00ffU;
  const std::uint64_t pattern = ones * static_cast<unsigned char>(wanted);
  std::ptrdiff_t count = 0;
  while (end - at >= 8) {
    std::uint64_t counts = 0;  // one count per byte, none of which overflows
    for (std::ptrdiff_t left = std::min<std::ptrdiff_t>((end - at) / 8, 255); left > 0; --left) {
      const std::uint64_t different = eight_bytes(at) ^ pattern;
      counts += (~(((different & sevens) + sevens) | different) >> 7U) & ones;
      at += 8;
    }
    const std::uint64_t of_pairs = (counts & pairs) + (counts >> 8U & pairs);
    count += static_cast<std::ptrdiff_t>(of_pairs * 0x0001000100010001U >> 48U);
  }
  return count + std::count(at, end, wanted);
}

/// Prefetches memory that will be read soon.
inline void prefetch(const void* address) {
  __builtin_prefetch(address);
  // GCC 12 may regard a function with only a prefetch as free of effects and remove its calls.
  asm volatile("" ::"r"(address));
}
/// The same without evicting data from the first-level cache.
inline void prefetch_later(const void* address) {
  __builtin_prefetch(address, 0, 2);
  asm volatile("" ::"r"(address));
}

}  // namespace genera::kernel
