#include "data/digest_of_lines.hpp"

#include <algorithm>
#include <cstring>

namespace genera::data {
namespace {

constexpr std::size_t stride = 8, end_bytes = 32;

/// The finaliser of SplitMix64.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

std::uint64_t hash_of(std::string_view bytes, std::uint64_t seed) {
  for (std::size_t i = 0; i < bytes.size(); i += stride) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, std::min(stride, bytes.size() - i));
    seed = mixed(seed + 0x9E3779B97F4A7C15U + word);
  }
  return seed;
}

std::uint64_t hash_of_line(std::string_view line) {
  if (line.size() <= 2 * end_bytes) return hash_of(line, line.size());
  return hash_of(line.substr(line.size() - end_bytes),
                 hash_of(line.substr(0, end_bytes), line.size()));
}

}  // namespace

std::uint64_t digest_of_lines(std::string_view text) {
  std::uint64_t sum = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) sum += hash_of_line(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return sum;
}

}  // namespace genera::data
