#include <algorithm>

#include <genera/stats.hpp>

#include "sums/pair_sums.hpp"

namespace genera {
namespace {

double at(const Vector& values, std::size_t i) { return i < values.size() ? values[i] : 0; }

/// The `values` at the kept indices, in order.
Vector kept_of(const Vector& values, const std::vector<std::size_t>& kept) {
  Vector left;
  for (const std::size_t place : kept) {
    if (place < values.size()) left.push_back(values[place]);
  }
  return left;
}

/// Indices of names with a nonzero weight, given by `weight_in`, in some class.
template <class WeightIn>
std::vector<std::size_t> places_in_use(const Statistics& statistics, const NameSet& names,
                                       const WeightIn& weight_in) {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < names.names().size(); ++i) {
    if (std::ranges::any_of(statistics.classes(),
                            [&](const ClassStatistics& entry) { return weight_in(entry, i) != 0; }))
      kept.push_back(i);
  }
  return kept;
}

void add_names(NameSet& to, const NameSet& from, const std::vector<std::size_t>& kept) {
  for (const std::size_t place : kept) to.add(from.names()[place]);
}

}  // namespace

Statistics without_unused_names(const Statistics& statistics) {
  Statistics left(statistics.schema());
  for (const ClassStatistics& entry : statistics.classes()) left.of_class(entry.name) = entry;
  std::vector<std::vector<std::size_t>> kept_levels;
  for (std::size_t c = 0; c < statistics.levels().size(); ++c) {
    const NameSet& names = statistics.levels()[c];
    const auto kept = places_in_use(
        statistics, names,
        [c](const ClassStatistics& entry, std::size_t i) { return at(entry.levels[c], i); });
    add_names(left.levels_of(c).own(), names, kept);
    for (const ClassStatistics& entry : statistics.classes())
      left.of_class(entry.name).levels[c] = kept_of(entry.levels[c], kept);
    kept_levels.push_back(kept);
  }
  for (const ClassStatistics& entry : statistics.classes())
    left.of_class(entry.name).pairs = sums::kept_pairs(entry.pairs, kept_levels);
  for (std::size_t s = 0; s < statistics.terms().size(); ++s) {
    const NameSet& names = statistics.terms()[s];
    if (statistics.schema().all_columns) {
      left.terms_of(s) = statistics.terms()[s];
      continue;
    }
    const auto kept = places_in_use(
        statistics, names,
        [s](const ClassStatistics& entry, std::size_t i) { return at(entry.terms[s].present, i); });
    add_names(left.terms_of(s).own(), names, kept);
    for (const ClassStatistics& entry : statistics.classes()) {
      const TermSums& sums = entry.terms[s];
      left.of_class(entry.name).terms[s] = {
          sums.weight, kept_of(sums.sums, kept), kept_of(sums.present, kept),
          kept_of(sums.scatter, kept), kept_of(sums.sums_low, kept)};
    }
  }
  return left;
}

}  // namespace genera
