#pragma once

#include <vector>

#include <genera/rows.hpp>

#include "kernel/bytes.hpp"

/// Reading the entries of sparse rows for their sums.
namespace genera::sums {

inline double weight_of(const DataView& data, Index row) {
  return data.weights.empty() ? 1 : data.weights[static_cast<std::size_t>(row)];
}

/// Rows of a class are scattered, so the hardware does not prefetch them, nor does it prefetch
/// across pages.
constexpr std::size_t rows_ahead = 4;

template <class Ask>
void ask_for(const void* array, Index begin, Index end, Ask ask) {
  constexpr Index line = 64;
  for (Index at = begin; at < end; at += line) ask(static_cast<const char*>(array) + at);
}

/// Which part of the entries a sum reads.
enum class Read { places, values };

inline void ask_for_entries(const SparseView& sparse, Index row, Read what) {
  /// for other types, some prefetches are redundant
  constexpr Index place_bytes = 4, value_bytes = 8;
  const Index begin = sparse.begin(row), end = sparse.begin(row + 1);
  ask_for(sparse.places, begin * place_bytes, end * place_bytes, kernel::prefetch);
  if (what == Read::values)  // in the first-level cache, values would displace sums
    ask_for(sparse.values, begin * value_bytes, end * value_bytes, kernel::prefetch_later);
}

/// Entries of a table, read through plain pointers.
struct PlainEntries {
  const std::int32_t* places;
  const double* values;
  [[nodiscard]] std::size_t place(Index e) const { return static_cast<std::size_t>(places[e]); }
  [[nodiscard]] double value(Index e) const { return values[e]; }
};
struct AnyEntries {
  const SparseView& sparse;
  [[nodiscard]] std::size_t place(Index e) const {
    return static_cast<std::size_t>(sparse.place(e));
  }
  [[nodiscard]] double value(Index e) const { return sparse.value(e); }
};

/// Calls f with the entries in the most efficient form.
template <class F>
decltype(auto) with_entries(const SparseView& sparse, F f) {
  if (sparse.place_type != Element::i32 || sparse.value_type != Element::f64)
    return f(AnyEntries{sparse});
  return f(PlainEntries{static_cast<const std::int32_t*>(sparse.places),
                        static_cast<const double*>(sparse.values)});
}

/// Calls visit(term, value, weight) for the entries of these rows; returns the weight of the rows.
template <Read what, class Entry, class Visit>
double each_entry(const DataView& data, const SparseView& sparse, const std::vector<Index>& rows,
                  const Entry& entries, Visit visit) {
  double total = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Index row = rows[r];
    if (r + rows_ahead < rows.size()) ask_for_entries(sparse, rows[r + rows_ahead], what);
    if (sparse.is_missing(row)) continue;
    const double weight = weight_of(data, row);
    total += weight;
    const Index end = sparse.begin(row + 1);
    for (Index e = sparse.begin(row); e < end; ++e)
      visit(entries.place(e), entries.value(e), weight);
  }
  return total;
}

template <Read what = Read::values, class Visit>
double each_entry(const DataView& data, const SparseView& sparse, const std::vector<Index>& rows,
                  Visit visit) {
  return with_entries(sparse, [&](const auto& entries) {
    return each_entry<what>(data, sparse, rows, entries, visit);
  });
}

}  // namespace genera::sums
