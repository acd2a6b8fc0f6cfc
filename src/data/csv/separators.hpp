#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "kernel/positions.hpp"

namespace genera::data {

/// Where the fields of a text without quotes end, one after the other. They are found many at a
/// time, ahead of whoever reads the fields: so no field has to wait for the end of the one before.
class Separators {
 public:
  Separators(const char* begin, const char* end, char delimiter)
      : from_(begin), to_(begin), end_(end), delimiter_(delimiter) {}

  /// The next delimiter or newline. The text must end with a newline and hold one more.
  [[nodiscard]] const char* next() {
    const std::uint32_t place = next_places(1).front();  // may change from_
    const char* const found = from_ + place;
    skip(1);
    return found;
  }

  /// Up to `max` of the next ones, which are not skipped, and what their places count from.
  [[nodiscard]] std::span<const std::uint32_t> next_places(Index max) {
    while (at_ == count_) look_further();
    return std::span(places_).subspan(static_cast<std::size_t>(at_),
                                      static_cast<std::size_t>(std::min(max, count_ - at_)));
  }
  [[nodiscard]] const char* base() const { return from_; }
  void skip(Index places) { at_ += places; }

 private:
  static constexpr Index bytes_at_once = 8192;

  void look_further() {
    from_ = to_;
    const Index size = std::min<Index>(bytes_at_once, end_ - from_);
    if (places_.empty()) places_.resize(bytes_at_once + kernel::positions_slack);
    count_ = kernel::positions_of(from_, size, delimiter_, '\n', places_.data());
    at_ = 0;
    to_ = from_ + size;
  }

  const char* from_;  // of the places
  const char* to_;    // of what was looked at
  const char* end_;
  char delimiter_;
  std::vector<std::uint32_t> places_;
  Index at_ = 0, count_ = 0;
};

}  // namespace genera::data
