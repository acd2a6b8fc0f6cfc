#include "data/row_digests.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <compare>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include <genera/random.hpp>

#include "data/columns.hpp"
#include "data/text/hashed_terms.hpp"
#include "kernel/index.hpp"

namespace genera::data {
namespace {

using kernel::at;

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) { return Rng(a).split(b)(); }

/// Equal numbers have equal bits here; all NaNs are one missing value.
std::uint64_t bits_of(double x) {
  if (std::isnan(x)) return 0x7ff8000000000000U;
  return std::bit_cast<std::uint64_t>(x + 0.0);
}

template <class Names>
std::vector<std::uint64_t> hashes_of(const Names& names) {
  std::vector<std::uint64_t> hashes;
  for (const std::string& name : names) hashes.push_back(term_hash(name));
  return hashes;
}

/// Places of columns of one kind in the order of their names.
std::vector<Index> by_name(const DataView& data, FeaturePlace::Kind kind) {
  std::vector<std::pair<std::string, Index>> found;
  const std::vector<FeaturePlace> places = feature_places(data.columns);
  for (std::size_t j = 0; j < places.size(); ++j)
    if (places[j].kind == kind) found.emplace_back(data.columns[j].name, places[j].at);
  std::ranges::stable_sort(found, {}, [](const auto& one) { return one.first; });
  std::vector<Index> order;
  for (const auto& [name, place] : found) order.push_back(place);
  return order;
}

/// The place of each name in their alphabetical order.
std::vector<std::int32_t> ranks_of(std::span<const std::string> names) {
  std::vector<std::int32_t> order(names.size()), ranks(names.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::int32_t i) -> const std::string& { return names[at(i)]; });
  for (std::size_t i = 0; i < order.size(); ++i) ranks[at(order[i])] = static_cast<std::int32_t>(i);
  return ranks;
}

/// Missing values come last.
std::weak_ordering compared(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) <=> std::isnan(b);
  return a < b   ? std::weak_ordering::less
         : a > b ? std::weak_ordering::greater
                 : std::weak_ordering::equivalent;
}

/// The entries of the rows of a sparse matrix, sorted by the names of their columns.
class SortedEntries {
 public:
  SortedEntries(const SparseView& matrix, const Rows& rows, std::span<const Index> positions)
      : of_row_(at(rows.data().rows)) {
    const std::vector<std::int32_t> ranks = ranks_of(matrix.terms);
    for (const Index position : positions) {
      const Index row = rows.row(position);
      std::vector<Entry>& entries = of_row_[at(row)];
      if (!entries.empty()) continue;  // the same row again
      for (Index e = matrix.begin(row); e < matrix.begin(row + 1); ++e)
        entries.push_back({ranks[at(matrix.place(e))], matrix.value(e)});
      std::ranges::sort(entries, {}, &Entry::rank);
    }
  }

  /// As dense rows compare: a cell without an entry is 0.
  [[nodiscard]] std::weak_ordering compare(Index a, Index b) const {
    auto one = of_row_[at(a)].begin(), other = of_row_[at(b)].begin();
    const auto end = of_row_[at(a)].end(), other_end = of_row_[at(b)].end();
    while (one != end || other != other_end) {
      const bool first = other == other_end || (one != end && one->rank <= other->rank),
                 second = one == end || (other != other_end && other->rank <= one->rank);
      const auto order = compared(first ? one->value : 0, second ? other->value : 0);
      if (order != 0) return order;
      if (first) ++one;
      if (second) ++other;
    }
    return std::weak_ordering::equivalent;
  }

 private:
  struct Entry {
    std::int32_t rank;
    double value;
  };
  std::vector<std::vector<Entry>> of_row_;
};

/// Compares rows cell by cell, at last by their digests, which tell texts and weights apart.
class ByContent {
 public:
  ByContent(const Rows& rows, std::span<const Index> positions)
      : rows_(rows),
        numbers_(rows.data(), by_name(rows.data(), FeaturePlace::Kind::number)),
        codes_(by_name(rows.data(), FeaturePlace::Kind::code)),
        digests_(at(rows.data().rows)) {
    for (const Index j : codes_) ranks_.push_back(ranks_of(rows.data().codes[at(j)].names));
    if (const auto matrix = sparse_features(rows.data()))
      entries_.emplace(rows.data().sparse[*matrix], rows, positions);
    const RowDigests digest(rows);
    for (const Index position : positions)
      digests_[at(rows.row(position))] = digest(rows.row(position));
  }

  bool operator()(Index a, Index b) const { return compare(rows_.row(a), rows_.row(b)) < 0; }

 private:
  [[nodiscard]] std::weak_ordering compare(Index a, Index b) const {
    for (Index j = 0; j < numbers_.count(); ++j) {
      const auto order = compared(numbers_(a, j), numbers_(b, j));
      if (order != 0) return order;
    }
    if (entries_) {
      const auto order = entries_->compare(a, b);
      if (order != 0) return order;
    }
    for (std::size_t j = 0; j < codes_.size(); ++j) {
      const auto order = rank(j, a) <=> rank(j, b);
      if (order != 0) return order;
    }
    return digests_[at(a)] <=> digests_[at(b)];
  }
  [[nodiscard]] std::int32_t rank(std::size_t j, Index row) const {
    const std::int32_t code = rows_.data().codes[at(codes_[j])](row);
    return code < 0 ? -1 : ranks_[j][at(code)];
  }

  const Rows& rows_;
  NumberColumns numbers_;
  std::optional<SortedEntries> entries_;
  std::vector<Index> codes_;
  std::vector<std::vector<std::int32_t>> ranks_;
  std::vector<std::uint64_t> digests_;  // of each row of the data that is sorted
};

}  // namespace

RowDigests::RowDigests(Rows rows) : rows_(std::move(rows)) {
  const DataView& data = rows_.data();
  classes_ = hashes_of(data.labels.names);
  const std::vector<FeaturePlace> places = feature_places(data.columns);
  for (std::size_t j = 0; j < places.size(); ++j) {
    const std::uint64_t name = term_hash(data.columns[j].name);
    if (places[j].kind == FeaturePlace::Kind::number) numbers_.push_back(name);
    if (places[j].kind == FeaturePlace::Kind::code) codes_.push_back(name);
  }
  for (const CodesView& column : data.codes) levels_.push_back(hashes_of(column.names));
  for (const SparseView& column : data.sparse) {
    sparse_.push_back(column.kind == SparseKind::text ? term_hash(column.name) : 0);
    terms_.push_back(hashes_of(column.terms));
  }
}

std::uint64_t RowDigests::named(const Hashes& names, std::int32_t code) {
  return code < 0 ? 0 : names[at(code)];
}

/// A sum, so that the order of its parts does not matter.
std::uint64_t RowDigests::operator()(Index row) const {
  const DataView& data = rows_.data();
  std::uint64_t sum = data.labels.empty() ? 0 : named(classes_, data.labels(row));
  std::size_t j = 0;
  for (const NumbersView& piece : data.numbers) {
    for (Index column = 0; column < piece.columns; ++column, ++j) {
      const double x = piece(row, column);  // 0 is what a sparse matrix does not have
      if (x != 0) sum += mixed(numbers_.empty() ? j : numbers_[j], bits_of(x));
    }
  }
  for (j = 0; j < levels_.size(); ++j)
    sum += mixed(codes_.empty() ? j : codes_[j], named(levels_[j], data.codes[j](row)));
  for (j = 0; j < sparse_.size(); ++j) {
    const SparseView& column = data.sparse[j];
    if (column.is_missing(row)) sum += mixed(sparse_[j], 0);
    for (Index e = column.begin(row); e < column.begin(row + 1); ++e)
      sum += mixed(sparse_[j] + terms_[j][at(column.place(e))], bits_of(column.value(e)));
  }
  if (!data.weights.empty() && !data.frequencies) sum += mixed(0, bits_of(data.weights[at(row)]));
  return mixed(sum, 0);
}

void sort_by_content(const Rows& rows, std::vector<Index>& positions) {
  std::ranges::sort(positions, ByContent(rows, positions));
}

}  // namespace genera::data
