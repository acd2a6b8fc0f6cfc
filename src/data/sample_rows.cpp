// A sample of a stream of any length, in one pass.
#include <algorithm>
#include <iterator>

#include <genera/random.hpp>
#include <genera/stream.hpp>

#include "data/densified.hpp"
#include "data/join_tables.hpp"
#include "kernel/index.hpp"

namespace genera {
namespace {

using kernel::at;

/// The rows with the smallest keys, which are numbers of chance that belong to the place of a row
/// in the source: what is chosen does not depend on chunks.
class SmallestKeys {
 public:
  SmallestKeys(Index most, std::uint64_t seed) : most_(most), rng_(seed) {}

  void add(Table&& chunk) {
    std::vector<Index> chosen;
    std::vector<std::uint64_t> keys;
    for (Index i = 0; i < chunk.rows(); ++i) {
      const std::uint64_t key = key_of(seen_ + i);
      if (key >= bound_ && bounded_) continue;
      chosen.push_back(i);
      keys.push_back(key);
    }
    seen_ += chunk.rows();
    keep(std::ssize(chosen) == chunk.rows() ? std::move(chunk) : data::selected(chunk, chosen),
         keys);
    if (std::ssize(keys_) > 2 * most_) thin_out();
  }

  RowSample result() && {
    if (std::ssize(keys_) > most_) thin_out();
    return {data::join(std::move(tables_)), seen_};
  }

 private:
  [[nodiscard]] std::uint64_t key_of(Index row) const {
    Rng rng = rng_.split(static_cast<std::uint64_t>(row));
    return rng();
  }

  /// An empty chunk is kept if it is the first: it has the columns.
  void keep(Table&& table, const std::vector<std::uint64_t>& keys) {
    if (keys.empty() && !tables_.empty()) return;
    tables_.push_back(std::move(table));
    keys_.insert(keys_.end(), keys.begin(), keys.end());
  }

  void thin_out() {
    std::vector<std::uint64_t> sorted = keys_;
    const auto next = sorted.begin() + most_;
    std::nth_element(sorted.begin(), next, sorted.end());
    bound_ = *next;
    bounded_ = true;
    std::vector<Table> tables = std::move(tables_);
    const std::vector<std::uint64_t> keys = std::move(keys_);
    tables_.clear();
    keys_.clear();
    auto key = keys.begin();
    for (Table& table : tables) {
      std::vector<Index> chosen;
      std::vector<std::uint64_t> kept;
      for (Index i = 0; i < table.rows(); ++i, ++key) {
        if (*key >= bound_) continue;
        chosen.push_back(i);
        kept.push_back(*key);
      }
      keep(data::selected(table, chosen), kept);
    }
  }

  Index most_;
  Rng rng_;
  Index seen_ = 0;
  std::uint64_t bound_ = 0;
  bool bounded_ = false;
  std::vector<Table> tables_;
  std::vector<std::uint64_t> keys_;
};

}  // namespace

Table data::sampled(const Rows& rows, Index most, std::uint64_t seed) {
  SmallestKeys keys(most, seed);
  const Index step = std::max<Index>(most, 1);
  for (Index begin = 0; begin == 0 || begin < rows.count(); begin += step)
    keys.add(table_of(rows.between(begin, std::min(rows.count(), begin + step))));
  return std::move(keys).result().rows;
}

RowSample read_sample(RowStream& rows, Index most, std::uint64_t seed, const Control& control) {
  return rows
      .reduce(
          control, [&] { return SmallestKeys(std::max<Index>(1, most), seed); },
          [](Table&& chunk) { return std::move(chunk); },
          [](SmallestKeys& all, Table&& chunk) { all.add(std::move(chunk)); })
      .result();
}

}  // namespace genera
