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

/// A set of distinct names, numbered 0, 1, 2, ... in order of insertion, with fast look-up.
class NameSet {
 public:
  NameSet() = default;
  explicit NameSet(const std::vector<std::string>& names);

  /// Names that are known to be distinct; the index is built at the first insertion or look-up.
  [[nodiscard]] static NameSet distinct(std::vector<std::string> names);

  /// The number of `name`, which is inserted if it is new.
  std::int32_t add(std::string_view name);
  [[nodiscard]] std::optional<std::int32_t> find(std::string_view name) const;

  /// The same for many names, with overlapping memory accesses. `numbers` has the size of `names`;
  /// names that are not found get -1.
  void add_all(std::span<const std::string_view> names, std::span<std::int32_t> numbers);
  void find_all(std::span<const std::string_view> names, std::span<std::int32_t> numbers) const;
  /// Like add_all but faster. At least sixteen bytes must be readable from the beginning of each
  /// name.
  void add_all_padded(std::span<const std::string_view> names, std::span<std::int32_t> numbers);

  /// Prepares for `names` names.
  void reserve(std::size_t names);

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] Index size() const { return static_cast<Index>(names_.size()); }
  [[nodiscard]] std::vector<std::string> take_names() &&;

  friend bool operator==(const NameSet& a, const NameSet& b) { return a.names_ == b.names_; }

 private:
  struct Slot {
    // length and first bytes of a name; short names are stored completely
    std::uint64_t head = 0, tail = 0;
    std::uint32_t hash = 0;
    std::int32_t number = -1;  // -1: free
  };
  [[nodiscard]] static Slot key_of(std::string_view name);
  [[nodiscard]] static Slot key_of_padded(std::string_view name);
  [[nodiscard]] static std::uint32_t hash_of(std::string_view name, const Slot& key);
  /// The slots of distinct(), built on the first look-up by any thread.
  struct LaterSlots;
  [[nodiscard]] const std::vector<Slot>& slots() const;
  [[nodiscard]] std::vector<Slot> slots_of_all() const;
  /// The slot of the name, or a free one. `mask` is the number of slots minus one.
  [[nodiscard]] const Slot* slot_of(std::string_view name, const Slot& key, const Slot* slots,
                                    std::size_t mask) const;
  std::int32_t add_new(std::string_view name, const Slot& key, const Slot* free);
  void index();  ///< builds the slots after distinct()
  void grow(std::size_t slots);
  /// for `more` further names; at least half of the slots stay free
  void make_room(std::size_t more);
  using Keys = std::array<Slot, 64>;
  template <class Make>
  static void make_keys(std::span<const std::string_view> names, Make make,
                        const std::vector<Slot>& slots, Keys& keys);
  template <class Make>
  void add_each(std::span<const std::string_view> names, std::span<std::int32_t> numbers,
                Make make);

  std::vector<std::string> names_;
  std::vector<Slot> slots_;  // open addressing; the size is a power of two
  /// after distinct() and until a name is inserted, instead of slots_
  std::shared_ptr<LaterSlots> later_;
};

/// Names shared by several owners (copy on write).
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

  /// The names for modification; copies them first if they are shared.
  [[nodiscard]] NameSet& own();
  /// True if both refer to the same set, so that their names need not be compared.
  [[nodiscard]] bool shared_with(const SharedNames& other) const { return set_ == other.set_; }

  friend bool operator==(const SharedNames& a, const SharedNames& b) {
    return a.shared_with(b) || a.set() == b.set();
  }

 private:
  [[nodiscard]] const NameSet& set() const { return *this; }
  std::shared_ptr<NameSet> set_;  // null: empty
};

}  // namespace genera
