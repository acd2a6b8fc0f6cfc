#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace genera::data {

/// Hash of a term, equal on every machine because models store its places. FNV-1a, followed by the
/// mixer of MurmurHash3 (fmix64), because low bits of FNV-1a never depend on higher ones.
[[nodiscard]] constexpr std::uint64_t term_hash(std::string_view term) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char byte : term) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 0x100000001b3U;
  }
  hash = (hash ^ (hash >> 33U)) * 0xff51afd7ed558ccdU;
  hash = (hash ^ (hash >> 33U)) * 0xc4ceb9fe1a85ec53U;
  return hash ^ (hash >> 33U);
}

/// Hashed terms with 2^bits places; the places that occur are numbered in order of appearance.
class HashedTerms {
 public:
  explicit HashedTerms(int bits) : mask_((std::uint32_t{1} << static_cast<unsigned>(bits)) - 1) {}

  /// The number of the place of `term`.
  std::int32_t add(std::string_view term);
  void add_all_padded(std::span<const std::string_view> terms, std::span<std::int32_t> numbers) {
    for (std::size_t i = 0; i < terms.size(); ++i) numbers[i] = add(terms[i]);
  }
  /// For each number, "#" and the place.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  [[nodiscard]] std::size_t slot_of(std::uint32_t place) const;
  void grow();

  std::uint32_t mask_;
  std::vector<std::uint32_t> places_;  // by number
  std::vector<std::int32_t> slots_;    // open addressing; the size is a power of two; -1: free
};

}  // namespace genera::data
