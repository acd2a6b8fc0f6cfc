#include "kernel/word_edges.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

#include "kernel/bytes.hpp"

#ifndef GENERA_KERNEL_WORD_EDGES_ONCE
#define GENERA_KERNEL_WORD_EDGES_ONCE
namespace genera::kernel {

/// Bits for the bytes of a block, the first one lowest.
struct BlockMarks {
  std::uint64_t inside = 0;  // part of a word
  std::uint64_t beyond = 0;  // not ASCII
};

/// Writes the positions of the ones, four at a time, which avoids unpredictable branches; excess
/// positions are overwritten later.
inline std::size_t* put_ones(std::uint64_t ones, std::size_t base, std::size_t* to) {
  std::size_t* const end = to + std::popcount(ones);
  while (to < end) {
    for (int i = 0; i < 4; ++i) {
      to[i] = base + static_cast<std::size_t>(std::countr_zero(ones));
      ones &= ones - 1;
    }
    to += 4;
  }
  return end;
}

}  // namespace genera::kernel
#endif

HWY_BEFORE_NAMESPACE();
namespace genera::kernel::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

static_assert(edge_block == 64);  // the maximum of Bytes

template <class Vector>
HWY_INLINE auto between(Vector bytes, char first, char last) {
  const Bytes tag;
  return hn::Lt(hn::Sub(bytes, hn::Set(tag, static_cast<std::uint8_t>(first))),
                hn::Set(tag, static_cast<std::uint8_t>(last - first + 1)));
}

HWY_INLINE std::uint64_t bits_of(hn::Mask<Bytes> mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(Bytes(), mask, bytes);
  return eight_bytes(reinterpret_cast<const char*>(bytes));
}

/// Converts a whole block to lower case and returns its bits.
HWY_INLINE BlockMarks lower_block(const char* from, char* to) {
  const Bytes tag;
  const std::size_t lanes = hn::Lanes(tag);
  BlockMarks marks;
  for (std::size_t i = 0; i < edge_block; i += lanes) {
    const auto bytes = hn::LoadU(tag, reinterpret_cast<const std::uint8_t*>(from) + i);
    const auto low = hn::Or(bytes, hn::Set(tag, 0x20));
    const auto letters = between(low, 'a', 'z');
    const auto inside = hn::Or(hn::Or(letters, between(bytes, '0', '9')), between(bytes, '_', '_'));
    hn::StoreU(hn::IfThenElse(letters, low, bytes), tag, reinterpret_cast<std::uint8_t*>(to) + i);
    marks.inside |= bits_of(inside) << i;
    marks.beyond |= bits_of(hn::Gt(bytes, hn::Set(tag, 0x7f))) << i;
  }
  return marks;
}

std::ptrdiff_t WordEdges(std::string_view text, char* lower, std::size_t* edges) {
  std::size_t* next = edges;
  std::uint64_t before = 0;  // the last byte was part of a word
  const auto add_block = [&](const char* from, std::size_t at) HWY_ATTR {
    const BlockMarks marks = lower_block(from, lower + at);
    next = put_ones(marks.inside ^ (marks.inside << 1U | before), at, next);
    before = marks.inside >> 63U;
    return marks.beyond == 0;
  };
  std::size_t at = 0;
  for (; at + edge_block <= text.size(); at += edge_block) {
    if (!add_block(text.data() + at, at)) return -1;
  }
  if (at < text.size()) {
    char rest[edge_block] = {};
    std::memcpy(rest, text.data() + at, text.size() - at);
    if (!add_block(rest, at)) return -1;
  }
  if (before != 0) *next++ = text.size();
  return next - edges;
}

}  // namespace genera::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace genera::kernel {
namespace {
GENERA_EXPORT(WordEdges);
}  // namespace

std::ptrdiff_t word_edges(std::string_view text, char* lower, std::size_t* edges) {
  return GENERA_DISPATCH(WordEdges)(text, lower, edges);
}

}  // namespace genera::kernel
#endif
