#include "kernel/positions.hpp"

#include <bit>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace genera::kernel::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// One bit for each of 64 bytes, set if it is one of the two characters.
HWY_INLINE std::uint64_t found_among_64(const std::uint8_t* bytes, hn::Vec<Bytes> one,
                                        hn::Vec<Bytes> other) {
  const Bytes tag;
  constexpr std::size_t n = hn::MaxLanes(tag);
  alignas(8) std::uint8_t bits[8 + 8] = {};  // a vector may write eight bytes
  for (std::size_t at = 0; at < 64; at += n) {
    const auto part = hn::LoadU(tag, bytes + at);
    hn::StoreMaskBits(tag, hn::Or(hn::Eq(part, one), hn::Eq(part, other)), bits + at / 8);
  }
  std::uint64_t found = 0;
  std::memcpy(&found, bits, sizeof found);
  return found;
}

Index PositionsOf(const char* bytes, Index size, char one, char other, std::uint32_t* places) {
  const Bytes tag;
  const auto first = hn::Set(tag, static_cast<std::uint8_t>(one));
  const auto second = hn::Set(tag, static_cast<std::uint8_t>(other));
  std::uint32_t* to = places;
  Index at = 0;
  for (; hn::MaxLanes(tag) >= 8 && at + 64 <= size; at += 64) {
    std::uint64_t found =
        found_among_64(reinterpret_cast<const std::uint8_t*>(bytes) + at, first, second);
    std::uint32_t* const end = to + std::popcount(found);
    do {  // always writes eight, even if fewer are left
      for (int i = 0; i < positions_slack; ++i) {
        to[i] =
            static_cast<std::uint32_t>(at) + static_cast<std::uint32_t>(std::countr_zero(found));
        found &= found - 1;
      }
      to += positions_slack;
    } while (to < end);
    to = end;
  }
  for (; at < size; ++at) {
    if (bytes[at] == one || bytes[at] == other) *to++ = static_cast<std::uint32_t>(at);
  }
  return to - places;
}

}  // namespace genera::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace genera::kernel {

GENERA_EXPORT(PositionsOf);

Index positions_of(const char* bytes, Index size, char one, char other, std::uint32_t* places) {
  return GENERA_DISPATCH(PositionsOf)(bytes, size, one, other, places);
}

}  // namespace genera::kernel
#endif
