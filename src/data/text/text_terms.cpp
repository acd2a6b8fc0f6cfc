#include "data/text/text_terms.hpp"

#include <algorithm>
#include <utility>

namespace genera::data {

TermCounter::TermCounter(const TextOptions& options)
    : options_(options), hashed_(options.hash_bits) {}

void TermCounter::expect(std::size_t bytes) {
  constexpr std::size_t bytes_per_entry = 10, bytes_per_term = 60;  // typical for long texts
  columns_.places.reserve(bytes / bytes_per_entry);
  columns_.values.reserve(bytes / bytes_per_entry);
  if (options_.hash_bits == 0) exact_.reserve(bytes / bytes_per_term);
}

void TermCounter::add(std::string_view text) {
  const TextOptions::Lengths lengths = options_.chars.value_or(options_.words);
  using Words = TextPieces::Words;
  if (options_.chars)
    pieces_.cut_characters(text);
  else
    pieces_.cut_words(text, lengths.max > 1 ? Words::joined : Words::apart);
  malformed_ += pieces_.malformed() ? 1 : 0;
  if (options_.hash_bits > 0)
    count_runs(hashed_, lengths);
  else
    count_runs(exact_, lengths);
  end_row(false);
}

void TermCounter::add_missing() { end_row(true); }

template <class Terms>
void TermCounter::count_runs(Terms& terms, TextOptions::Lengths lengths) {
  const Index pieces = pieces_.count();
  Index runs = 0;
  for (Index length = lengths.min; length <= lengths.max; ++length)
    runs += std::max<Index>(0, pieces - length + 1);
  runs_.resize(static_cast<std::size_t>(runs));
  auto to = runs_.begin();
  for (Index first = 0; first + lengths.min <= pieces; ++first) {
    const Index max = std::min<Index>(lengths.max, pieces - first);
    for (Index length = lengths.min; length <= max; ++length) *to++ = pieces_.run(first, length);
  }
  numbers_.resize(runs_.size());
  terms.add_all_padded(runs_, numbers_);
  count_numbers();
}

/// Without a branch, because repeated terms are unpredictable; GCC 12 would turn a condition
/// instead of the mask into a branch.
void TermCounter::count_numbers() {
  if (numbers_.empty()) return;
  const auto max = static_cast<std::size_t>(*std::max_element(numbers_.begin(), numbers_.end()));
  if (max >= entry_of_.size()) entry_of_.resize(2 * max + 1, -1);
  const auto row = static_cast<std::int32_t>(columns_.begins.back());
  auto entries = static_cast<std::int32_t>(columns_.places.size());
  columns_.places.resize(columns_.places.size() + numbers_.size());
  columns_.values.resize(columns_.places.size());
  for (const std::int32_t term : numbers_) {
    std::int32_t& entry = entry_of_[static_cast<std::size_t>(term)];
    const std::int32_t fresh = entry < row ? 1 : 0;
    const std::int32_t own = entry ^ ((entry ^ entries) & -fresh);
    entry = own;
    entries += fresh;
    columns_.places[static_cast<std::size_t>(own)] = term;
    columns_.values[static_cast<std::size_t>(own)] += 1;
  }
  columns_.places.resize(static_cast<std::size_t>(entries));
  columns_.values.resize(static_cast<std::size_t>(entries));
}

void TermCounter::end_row(bool missing) {
  if (missing) columns_.missing.resize(columns_.begins.size() - 1, 0);  // for the previous rows
  if (missing || !columns_.missing.empty()) columns_.missing.push_back(missing ? 1 : 0);
  columns_.begins.push_back(static_cast<Index>(columns_.places.size()));
}

SparseColumns TermCounter::take(std::string name) && {
  columns_.name = std::move(name);
  columns_.text_options = options_;
  columns_.terms = options_.hash_bits > 0 ? hashed_.names() : std::move(exact_).take_names();
  return std::move(columns_);
}

}  // namespace genera::data
