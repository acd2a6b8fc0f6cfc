#include <genera/names.hpp>

#include "kernel/bytes.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>

namespace genera {
namespace {

using kernel::eight_bytes;
using kernel::four_bytes;

constexpr std::size_t in_head = 7;  // bytes of a name that a head can hold besides the length

/// Different for different names of up to seven bytes.
std::uint64_t head_of(std::string_view name) {
  const char* const at = name.data();
  const std::size_t size = name.size();
  const std::uint64_t length = std::uint64_t{std::min<std::size_t>(size, 255)} << 56U;
  if (size > in_head) return length | (eight_bytes(at) & 0x00ffffffffffffffU);
  if (size >= 4) return length | four_bytes(at) | four_bytes(at + size - 4) << (8 * (size - 4));
  if (size == 0) return length;
  const auto byte = [at](std::size_t i) {
    return std::uint64_t{static_cast<unsigned char>(at[i])};
  };
  return length | byte(0) | byte(size / 2) << 8U | byte(size - 1) << 16U;
}

/// Multiplication by the odd number next to 2^64 / golden ratio, folded (Knuth, TAOCP 3, 6.4).
std::uint64_t mix(std::uint64_t bits) {
  bits *= 0x9e3779b97f4a7c15U;
  return bits ^ (bits >> 32U);
}

}  // namespace

NameSet::NameSet(const std::vector<std::string>& names) {
  names_.reserve(names.size());
  slots_.resize(std::bit_ceil(2 * (names.size() + 1)));
  for (const std::string& name : names) add(name, key_of(name));
}

NameSet NameSet::distinct(std::vector<std::string> names) {
  NameSet set;
  set.names_ = std::move(names);
  return set;
}

NameSet::Slot NameSet::key_of(std::string_view name) {
  Slot key;
  key.head = head_of(name);
  std::uint64_t hash = mix(key.head);
  if (name.size() > in_head) {
    const char* const last = name.data() + name.size() - 8;
    for (const char* at = name.data() + in_head; at < last; at += 8)
      hash = mix(hash ^ eight_bytes(at));
    hash = mix(hash ^ eight_bytes(last));
  }
  key.hash = static_cast<std::uint32_t>(hash);
  return key;
}

std::size_t NameSet::slot_of(std::string_view name, const Slot& key) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = key.hash & mask;
  for (; slots_[at].number >= 0; at = (at + 1) & mask) {
    if (slots_[at].head != key.head || slots_[at].hash != key.hash) continue;
    if (name.size() <= in_head) break;
    if (names_[static_cast<std::size_t>(slots_[at].number)] == name) break;
  }
  return at;
}

void NameSet::grow() {
  constexpr std::size_t first = 16;
  std::vector<Slot> more(std::max(first, 2 * slots_.size()));
  const std::size_t mask = more.size() - 1;
  for (const Slot& slot : slots_) {
    if (slot.number < 0) continue;
    std::size_t at = slot.hash & mask;
    while (more[at].number >= 0) at = (at + 1) & mask;
    more[at] = slot;
  }
  slots_ = std::move(more);
}

void NameSet::index() {
  if (slots_.empty() && !names_.empty()) *this = NameSet(names_);
}

std::int32_t NameSet::add(std::string_view name) {
  index();
  return add(name, key_of(name));
}

std::int32_t NameSet::add(std::string_view name, Slot key) {
  if (2 * (names_.size() + 1) > slots_.size()) grow();
  Slot& slot = slots_[slot_of(name, key)];
  if (slot.number >= 0) return slot.number;
  key.number = static_cast<std::int32_t>(names_.size());
  names_.emplace_back(name);
  slot = key;
  return key.number;
}

std::optional<std::int32_t> NameSet::find(std::string_view name) const {
  if (slots_.empty()) {  // not indexed: rare, and never in a loop
    const auto at = std::find(names_.begin(), names_.end(), name);
    if (at == names_.end()) return std::nullopt;
    return static_cast<std::int32_t>(at - names_.begin());
  }
  const std::int32_t number = find(name, key_of(name));
  if (number < 0) return std::nullopt;
  return number;
}

std::int32_t NameSet::find(std::string_view name, const Slot& key) const {
  return slots_[slot_of(name, key)].number;
}

template <class Each>
void NameSet::with_keys(std::span<const std::string_view> names, Each each) const {
  constexpr std::size_t at_once = 64;
  std::array<Slot, at_once> keys;
  for (std::size_t first = 0; first < names.size(); first += at_once) {
    const std::size_t count = std::min(at_once, names.size() - first);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = 0; i < count; ++i) {
      keys[i] = key_of(names[first + i]);
      if (!slots_.empty()) kernel::prefetch(&slots_[keys[i].hash & mask]);
    }
    for (std::size_t i = 0; i < count && !slots_.empty(); ++i) {
      const Slot& likely = slots_[keys[i].hash & mask];
      if (names[first + i].size() > in_head && likely.number >= 0)
        kernel::prefetch(&names_[static_cast<std::size_t>(likely.number)]);
    }
    for (std::size_t i = 0; i < count; ++i) each(first + i, keys[i]);
  }
}

void NameSet::add_all(std::span<const std::string_view> names, std::span<std::int32_t> numbers) {
  index();
  with_keys(names, [&](std::size_t i, const Slot& key) { numbers[i] = add(names[i], key); });
}

void NameSet::find_all(std::span<const std::string_view> names,
                       std::span<std::int32_t> numbers) const {
  if (slots_.empty()) {
    for (std::size_t i = 0; i < names.size(); ++i) numbers[i] = find(names[i]).value_or(-1);
    return;
  }
  with_keys(names, [&](std::size_t i, const Slot& key) { numbers[i] = find(names[i], key); });
}

SharedNames::SharedNames(NameSet names) : set_(std::make_shared<NameSet>(std::move(names))) {}

SharedNames::operator const NameSet&() const {
  static const NameSet none;
  return set_ ? *set_ : none;
}

NameSet& SharedNames::own() {
  if (!set_) set_ = std::make_shared<NameSet>();
  if (set_.use_count() > 1) set_ = std::make_shared<NameSet>(*set_);
  // What other owners read, they read before they let go.
  std::atomic_thread_fence(std::memory_order_acquire);
  return *set_;
}

}  // namespace genera
