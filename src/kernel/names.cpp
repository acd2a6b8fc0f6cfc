#include <genera/names.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>

#include "kernel/bytes.hpp"
#include "kernel/exclusive.hpp"

namespace genera {
namespace {

using kernel::eight_bytes;
using kernel::four_bytes;

constexpr std::size_t in_head = 7, in_tail = 8, in_key = in_head + in_tail;  // bytes of a name

std::uint64_t length_in_head(std::string_view name) {
  return std::uint64_t{std::min<std::size_t>(name.size(), 255)} << 56U;
}

/// The first `count` of eight bytes.
std::uint64_t first_bytes(std::uint64_t bytes, std::size_t count) {
  return count >= 8 ? bytes : bytes & ((std::uint64_t{1} << (8 * count)) - 1);
}

/// Up to seven bytes.
std::uint64_t few_bytes(std::string_view name) {
  const char* const at = name.data();
  const std::size_t size = name.size();
  if (size >= 4) return four_bytes(at) | four_bytes(at + size - 4) << (8 * (size - 4));
  if (size == 0) return 0;
  const auto byte = [at](std::size_t i) {
    return std::uint64_t{static_cast<unsigned char>(at[i])} << (8 * i);
  };
  return byte(0) | byte(size / 2) | byte(size - 1);
}

/// Multiplication by the odd number next to 2^64 / golden ratio, folded (Knuth, TAOCP 3, 6.4).
std::uint64_t mix(std::uint64_t bits) {
  bits *= 0x9e3779b97f4a7c15U;
  return bits ^ (bits >> 32U);
}

}  // namespace

struct NameSet::LaterSlots {
  std::atomic<bool> made = false;
  std::vector<Slot> slots;
  kernel::Exclusive one_at_a_time;
};

NameSet::NameSet(const std::vector<std::string>& names) {
  names_.reserve(names.size());
  slots_.resize(std::bit_ceil(2 * (names.size() + 1)));
  std::vector<std::int32_t> numbers(names.size());
  add_all(std::vector<std::string_view>(names.begin(), names.end()), numbers);
}

/// Slots for distinct names; of equal names the first is found.
std::vector<NameSet::Slot> NameSet::slots_of_all() const {
  std::vector<Slot> slots(std::bit_ceil(2 * (names_.size() + 1)));
  const std::size_t mask = slots.size() - 1;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const Slot key = key_of(names_[i]);
    Slot& slot =
        slots[static_cast<std::size_t>(slot_of(names_[i], key, slots.data(), mask) - slots.data())];
    if (slot.number >= 0) continue;
    slot = key;
    slot.number = static_cast<std::int32_t>(i);
  }
  return slots;
}

NameSet NameSet::distinct(std::vector<std::string> names) {
  NameSet set;
  set.names_ = std::move(names);
  set.later_ = std::make_shared<LaterSlots>();
  return set;
}

// Functions called for each word of a text are inlined into the loops: a call would cost as much as
// the work.

[[gnu::always_inline]] inline std::uint32_t NameSet::hash_of(std::string_view name,
                                                             const Slot& key) {
  std::uint64_t hash = mix(mix(key.head) ^ key.tail);
  if (name.size() > in_key) {
    const char* const last = name.data() + name.size() - 8;
    for (const char* at = name.data() + in_key; at < last; at += 8)
      hash = mix(hash ^ eight_bytes(at));
    hash = mix(hash ^ eight_bytes(last));
  }
  return static_cast<std::uint32_t>(hash);
}

NameSet::Slot NameSet::key_of(std::string_view name) {
  const char* const at = name.data();
  const std::size_t size = name.size();
  Slot key;
  if (size <= in_head) {
    key.head = few_bytes(name);
  } else {
    key.head = first_bytes(eight_bytes(at), in_head);
    const std::size_t end = std::min(size, in_key);
    key.tail = eight_bytes(at + end - in_tail) >> (8 * (in_key - end));
  }
  key.head |= length_in_head(name);
  key.hash = hash_of(name, key);
  return key;
}

/// Without branches on the length of the word.
[[gnu::always_inline]] inline NameSet::Slot NameSet::key_of_padded(std::string_view name) {
  const std::size_t size = name.size(), short_size = std::min(size, in_head);
  Slot key;
  key.head = first_bytes(eight_bytes(name.data()), short_size) | length_in_head(name);
  key.tail = first_bytes(eight_bytes(name.data() + in_head), size - short_size);
  key.hash = hash_of(name, key);
  return key;
}

[[gnu::always_inline]] inline const NameSet::Slot* NameSet::slot_of(std::string_view name,
                                                                    const Slot& key,
                                                                    const Slot* slots,
                                                                    std::size_t mask) const {
  std::size_t at = key.hash & mask;
  for (; slots[at].number >= 0; at = (at + 1) & mask) {
    const Slot& slot = slots[at];
    if (((slot.head ^ key.head) | (slot.tail ^ key.tail)) != 0) continue;
    if (name.size() <= in_key) break;
    if (slot.hash == key.hash && names_[static_cast<std::size_t>(slot.number)] == name) break;
  }
  return slots + at;
}

void NameSet::grow(std::size_t slots) {
  std::vector<Slot> more(slots);
  const std::size_t mask = more.size() - 1;
  for (const Slot& slot : slots_) {
    if (slot.number < 0) continue;
    std::size_t at = slot.hash & mask;
    while (more[at].number >= 0) at = (at + 1) & mask;
    more[at] = slot;
  }
  slots_ = std::move(more);
}

void NameSet::reserve(std::size_t names) {
  index();
  names_.reserve(names);
  make_room(names + 1 - std::min(names, names_.size()));
}

void NameSet::index() {
  if (!later_) return;
  slots_ = later_.use_count() == 1 && later_->made ? std::move(later_->slots) : slots();
  later_.reset();
}

const std::vector<NameSet::Slot>& NameSet::slots() const {
  if (!later_) return slots_;
  if (!later_->made.load(std::memory_order_acquire)) {
    later_->one_at_a_time.run([&] {
      if (later_->made.load(std::memory_order_relaxed)) return;
      later_->slots = slots_of_all();
      later_->made.store(true, std::memory_order_release);
    });
  }
  return later_->slots;
}

std::int32_t NameSet::add(std::string_view name) {
  index();
  make_room(1);
  const Slot key = key_of(name);
  const Slot* const slot = slot_of(name, key, slots_.data(), slots_.size() - 1);
  return slot->number >= 0 ? slot->number : add_new(name, key, slot);
}

void NameSet::make_room(std::size_t more) {
  constexpr std::size_t first = 16;
  const std::size_t names = names_.size() + more;
  if (2 * names > slots_.size()) grow(std::bit_ceil(std::max(first, 2 * names)));
}

std::int32_t NameSet::add_new(std::string_view name, const Slot& key, const Slot* free) {
  Slot& slot = slots_[static_cast<std::size_t>(free - slots_.data())];
  slot = key;
  slot.number = static_cast<std::int32_t>(names_.size());
  names_.emplace_back(name);
  return slot.number;
}

std::optional<std::int32_t> NameSet::find(std::string_view name) const {
  if (names_.empty()) return std::nullopt;
  const std::vector<Slot>& among = slots();
  const std::int32_t number = slot_of(name, key_of(name), among.data(), among.size() - 1)->number;
  if (number < 0) return std::nullopt;
  return number;
}

/// Keys of several names, whose memory has been prefetched.
template <class Make>
[[gnu::always_inline]] inline void NameSet::make_keys(std::span<const std::string_view> names,
                                                      Make make, const std::vector<Slot>& slots,
                                                      Keys& keys) {
  const std::size_t mask = slots.size() - 1;
  for (std::size_t i = 0; i < names.size(); ++i) {
    keys[i] = make(names[i]);
    kernel::prefetch(slots.data() + (keys[i].hash & mask));
  }
}

template <class Make>
void NameSet::add_each(std::span<const std::string_view> names, std::span<std::int32_t> numbers,
                       Make make) {
  index();
  Keys keys;
  for (std::size_t first = 0; first < names.size(); first += keys.size()) {
    const auto some = names.subspan(first, std::min(keys.size(), names.size() - first));
    make_room(some.size());
    make_keys(some, make, slots_, keys);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = 0; i < some.size(); ++i) {
      const Slot* const slot = slot_of(some[i], keys[i], slots_.data(), mask);
      numbers[first + i] = slot->number >= 0 ? slot->number : add_new(some[i], keys[i], slot);
    }
  }
}

void NameSet::add_all(std::span<const std::string_view> names, std::span<std::int32_t> numbers) {
  add_each(names, numbers, [](std::string_view name) { return key_of(name); });
}

void NameSet::add_all_padded(std::span<const std::string_view> names,
                             std::span<std::int32_t> numbers) {
  add_each(names, numbers, [](std::string_view name) { return key_of_padded(name); });
}

void NameSet::find_all(std::span<const std::string_view> names,
                       std::span<std::int32_t> numbers) const {
  if (names_.empty()) {
    std::ranges::fill(numbers, -1);
    return;
  }
  const std::vector<Slot>& among = slots();
  const std::size_t mask = among.size() - 1;
  Keys keys;
  for (std::size_t first = 0; first < names.size(); first += keys.size()) {
    const auto some = names.subspan(first, std::min(keys.size(), names.size() - first));
    make_keys(
        some, [](std::string_view name) { return key_of(name); }, among, keys);
    for (std::size_t i = 0; i < some.size(); ++i)
      numbers[first + i] = slot_of(some[i], keys[i], among.data(), mask)->number;
  }
}

std::vector<std::string> NameSet::take_names() && {
  slots_.clear();
  later_.reset();
  return std::move(names_);
}

SharedNames::SharedNames(NameSet names) : set_(std::make_shared<NameSet>(std::move(names))) {}

SharedNames::operator const NameSet&() const {
  static const NameSet none;
  return set_ ? *set_ : none;
}

NameSet& SharedNames::own() {
  if (!set_) set_ = std::make_shared<NameSet>();
  if (set_.use_count() > 1) set_ = std::make_shared<NameSet>(*set_);
  // Reads of other owners happen before they release the names.
  std::atomic_thread_fence(std::memory_order_acquire);
  return *set_;
}

}  // namespace genera
