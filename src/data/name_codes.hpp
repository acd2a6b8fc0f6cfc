#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernel/text.hpp"

namespace genera::data {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const noexcept {
    return std::hash<std::string_view>{}(text);
  }
};

/// Numbers names 0, 1, 2, ... in the order of their first appearance.
class NameCodes {
 public:
  enum class Same {
    text,            ///< levels of a feature
    text_or_number,  ///< labels: "1" and "1.0" are one class
  };
  explicit NameCodes(Same same = Same::text) : same_(same) {}

  [[nodiscard]] std::int32_t code(std::string_view name) {
    if (!names_.empty() && names_[static_cast<std::size_t>(last_)] == name) return last_;
    const auto known = codes_.find(name);
    last_ = known != codes_.end() ? known->second : add(name);
    return last_;
  }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] std::vector<std::string> take_names() && { return std::move(names_); }

 private:
  std::int32_t add(std::string_view name) {
    std::int32_t next = static_cast<std::int32_t>(names_.size());
    double value = 0;
    if (same_ == Same::text_or_number && kernel::parse_whole(name, value) && value == value)
      next = numbers_.emplace(value, next).first->second;
    codes_.emplace(name, next);
    if (next == static_cast<std::int32_t>(names_.size())) names_.emplace_back(name);
    return next;
  }

  Same same_;
  std::int32_t last_ = 0;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::int32_t, TextHash, std::equal_to<>> codes_;
  std::unordered_map<double, std::int32_t> numbers_;
};

}  // namespace genera::data
