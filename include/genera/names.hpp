#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
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

  /// The same for many names, whose waits for memory overlap: `numbers` are as many as `names`, -1
  /// where a name is not found.
  void add_all(std::span<const std::string_view> names, std::span<std::int32_t> numbers);
  void find_all(std::span<const std::string_view> names, std::span<std::int32_t> numbers) const;
  /// Quicker than add_all: sixteen bytes can be read from the beginning of each name, however
  /// short.
  void add_all_padded(std::span<const std::string_view> names, std::span<std::int32_t> numbers);

  /// So many names are expected.
  void reserve(std::size_t names);

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] Index size() const { return static_cast<Index>(names_.size()); }
  [[nodiscard]] std::vector<std::string> take_names() &&;

  friend bool operator==(const NameSet& a, const NameSet& b) { return a.names_ == b.names_; }

 private:
  struct Slot {
    // The length and the first bytes of a name: all of it if it is short.
    std::uint64_t head = 0, tail = 0;
    std::uint32_t hash = 0;
    std::int32_t number = -1;  // -1: free
  };
  [[nodiscard]] static Slot key_of(std::string_view name);
  [[nodiscard]] static Slot key_of_padded(std::string_view name);
  [[nodiscard]] static std::uint32_t hash_of(std::string_view name, const Slot& key);
  /// Those of names that were not looked at: made when the first name is sought, on any thread.
  struct LaterSlots;
  [[nodiscard]] const std::vector<Slot>& slots() const;
  [[nodiscard]] std::vector<Slot> slots_of_all() const;
  /// Of the name, or a free one; `mask`: one less than there are.
  [[nodiscard]] const Slot* slot_of(std::string_view name, const Slot& key, const Slot* slots,
                                    std::size_t mask) const;
  std::int32_t add_new(std::string_view name, const Slot& key, const Slot* free);
  void index();  ///< slots of its own for names that were not looked at
  void grow(std::size_t slots);
  void make_room(std::size_t more);  ///< for so many names, so that half of the slots stay free
  using Keys = std::array<Slot, 64>;
  template <class Make>
  static void make_keys(std::span<const std::string_view> names, Make make,
                        const std::vector<Slot>& slots, Keys& keys);
  template <class Make>
  void add_each(std::span<const std::string_view> names, std::span<std::int32_t> numbers,
                Make make);

  std::vector<std::string> names_;
  std::vector<Slot> slots_;            // open addressing, a power of two of them
  std::shared_ptr<LaterSlots> later_;  // of distinct(), until a name is added: instead of slots_
};

/// Names that several hold together: a copy costs nothing until one of them is changed.
class SharedNames {
 public:
  SharedNames() = default;
  SharedNames(NameSet names);  // NOLINT(google-explicit-constructor): the same thing

  operator const NameSet&() const;  // NOLINT(google-explicit-constructor): the same thing
  [[nodiscard]] const std::vector<std::string>& names() const { return set().names(); }
  [[nodiscard]] Index size() const { return set().size(); }
  [[nodiscard]] std::optional<std::int32_t> find(std::string_view name) const {
    return set().find(name);
  }

  /// To be changed: a copy of one's own if others hold them, too.
  [[nodiscard]] NameSet& own();
  /// Whether these are the same ones, so that nothing needs to be compared.
  [[nodiscard]] bool shared_with(const SharedNames& other) const { return set_ == other.set_; }

  friend bool operator==(const SharedNames& a, const SharedNames& b) {
    return a.shared_with(b) || a.set() == b.set();
  }

 private:
  [[nodiscard]] const NameSet& set() const { return *this; }
  std::shared_ptr<NameSet> set_;  // null: no name
};

}  // namespace genera
