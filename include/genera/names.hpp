#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <genera/types.hpp>

namespace genera {

/// Different names, numbered 0, 1, 2, ... in the order of their first appearance, found quickly.
class NameSet {
 public:
  NameSet() = default;
  explicit NameSet(const std::vector<std::string>& names);

  /// Names known to be different; they are not looked at until one is added or sought.
  [[nodiscard]] static NameSet distinct(std::vector<std::string> names);

  /// The number of `name`, which is added if it is new.
  std::int32_t add(std::string_view name);
  [[nodiscard]] std::optional<std::int32_t> find(std::string_view name) const;
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] Index size() const { return static_cast<Index>(names_.size()); }
  [[nodiscard]] std::vector<std::string> take_names() && { return std::move(names_); }

  friend bool operator==(const NameSet& a, const NameSet& b) { return a.names_ == b.names_; }

 private:
  struct Slot {
    std::uint64_t head = 0;  // the length and the first bytes of a name: all of it if it is short
    std::uint32_t hash = 0;
    std::int32_t number = -1;  // -1: free
  };
  [[nodiscard]] static Slot key_of(std::string_view name);
  [[nodiscard]] std::size_t slot_of(std::string_view name, const Slot& key) const;
  void grow();

  std::vector<std::string> names_;
  std::vector<Slot> slots_;  // open addressing, a power of two of them
};

}  // namespace genera
