#include "data/text/text_terms.hpp"

#include <algorithm>
#include <utility>

namespace genera::data {

TermCounter::TermCounter(const TextOptions& options)
    : options_(options), hashed_(options.hash_bits) {}

void TermCounter::add(std::string_view text) {
  const TextOptions::Lengths lengths = options_.chars.value_or(options_.words);
  using Words = TextPieces::Words;
  if (options_.chars)
    pieces_.cut_characters(text);
  else
    pieces_.cut_words(text, lengths.most > 1 ? Words::joined : Words::apart);
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
  runs_.clear();
  const Index pieces = pieces_.count();
  for (Index first = 0; first + lengths.least <= pieces; ++first) {
    const Index most = std::min<Index>(lengths.most, pieces - first);
    for (Index length = lengths.least; length <= most; ++length)
      runs_.push_back(pieces_.run(first, length));
  }
  numbers_.resize(runs_.size());
  terms.add_all(runs_, numbers_);
  for (const std::int32_t term : numbers_) count(term);
}

void TermCounter::count(std::int32_t term) {
  const auto at = static_cast<std::size_t>(term);
  if (at >= entry_of_.size()) entry_of_.resize(at + 1, -1);
  if (entry_of_[at] >= columns_.begins.back()) {
    columns_.values[static_cast<std::size_t>(entry_of_[at])] += 1;
    return;
  }
  entry_of_[at] = static_cast<std::int32_t>(columns_.places.size());
  columns_.places.push_back(term);
  columns_.values.push_back(1);
}

void TermCounter::end_row(bool missing) {
  if (missing) columns_.missing.resize(columns_.begins.size() - 1, 0);  // of the rows before
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
