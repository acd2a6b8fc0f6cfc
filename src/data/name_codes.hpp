#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

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
    const auto next = static_cast<std::int32_t>(names_.size());
    codes_.emplace(name, next);
    names_.emplace_back(name);
    return next;
  }

  std::int32_t last_ = 0;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::int32_t, TextHash, std::equal_to<>> codes_;
};

}  // namespace genera::data
