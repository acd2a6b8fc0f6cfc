#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

/// Features of an svmlight file, which are numbered.
namespace genera::data {

inline constexpr std::uint32_t greatest_index = std::numeric_limits<std::int32_t>::max();

/// The index written in `digits`, if it is one and is not too large.
[[nodiscard]] inline std::optional<std::uint32_t> feature_index(std::string_view digits) {
  if (digits.empty()) return std::nullopt;
  std::uint64_t index = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    index = 10 * index + static_cast<std::uint64_t>(c - '0');
    if (index > greatest_index) return std::nullopt;
  }
  return static_cast<std::uint32_t>(index);
}

/// State of a feature while a chunk of rows is parsed.
struct Feature {
  static constexpr std::int32_t no_term = -1, unknown = -2;
  std::int32_t row = -1;         ///< the last row with an entry
  std::int32_t place = no_term;  ///< index among the terms; no_term if the model does not know it
};

/// Features by index; small indices are found without a search.
class Features {
 public:
  Feature& operator[](std::uint32_t index) {
    if (index < near_.size()) return near_[index];
    if (index >= most_near) return far_[index];
    near_.resize(std::min<std::size_t>(most_near, 2 * std::size_t{index} + 64));
    return near_[index];
  }

 private:
  static constexpr std::uint32_t most_near = 1U << 20U;
  std::vector<Feature> near_;
  std::unordered_map<std::uint32_t, Feature> far_;
};

}  // namespace genera::data
