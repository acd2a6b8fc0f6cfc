#include "data/text/hashed_terms.hpp"

#include <algorithm>
#include <cstddef>

namespace genera::data {

std::size_t HashedTerms::slot_of(std::uint32_t place) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = place & mask;
  while (slots_[slot] >= 0 && places_[static_cast<std::size_t>(slots_[slot])] != place)
    slot = (slot + 1) & mask;
  return slot;
}

void HashedTerms::grow() {
  constexpr std::size_t first = 1024;
  slots_.assign(std::max(first, 2 * slots_.size()), -1);
  for (std::size_t i = 0; i < places_.size(); ++i)
    slots_[slot_of(places_[i])] = static_cast<std::int32_t>(i);
}

std::int32_t HashedTerms::add(std::string_view term) {
  if (2 * (places_.size() + 1) > slots_.size()) grow();
  const std::uint32_t place = static_cast<std::uint32_t>(term_hash(term)) & mask_;
  std::int32_t& number = slots_[slot_of(place)];
  if (number >= 0) return number;
  number = static_cast<std::int32_t>(places_.size());
  places_.push_back(place);
  return number;
}

std::vector<std::string> HashedTerms::names() const {
  std::vector<std::string> names;
  names.reserve(places_.size());
  for (const std::uint32_t place : places_) names.push_back('#' + std::to_string(place));
  return names;
}

}  // namespace genera::data
