// Stratified sampling from a stream of any length in one pass.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/random.hpp>
#include <genera/stream.hpp>

#include "data/densified.hpp"
#include "data/join_tables.hpp"
#include "data/row_digests.hpp"
#include "kernel/index.hpp"

namespace genera {
namespace {

using kernel::at;

/// A chunk with the digests of its rows.
struct DigestedChunk {
  explicit DigestedChunk(Table&& chunk) : table(std::move(chunk)) {
    const data::RowDigests digest{Rows(table)};
    for (Index i = 0; i < table.rows(); ++i) digests.push_back(digest(i));
  }
  Table table;
  std::vector<std::uint64_t> digests;
};

/// Random keys of rows. A key depends on the content of the row and on the number of equal rows
/// before it, so the set of keys does not depend on the order of rows.
class RowKeys {
 public:
  explicit RowKeys(std::uint64_t seed) : rng_(seed) {}

  /// The key of the next copy of a row.
  std::uint64_t next(std::uint64_t digest) { return rng_.split(digest).split(copy(digest))(); }

 private:
  /// Copies are counted for this many different rows (about 50 MB). Copies of rows that first
  /// appear later share one key and enter a sample together.
  static constexpr std::size_t max_counted = std::size_t{1} << 20U;

  std::uint64_t copy(std::uint64_t digest) {
    const auto known = copies_.find(digest);
    if (known != copies_.end()) return ++known->second;
    if (copies_.size() < max_counted) copies_.emplace(digest, 0);
    return 0;
  }

  Rng rng_;
  std::unordered_map<std::uint64_t, std::uint64_t> copies_;
};

/// For each class, the rows with the smallest keys: its share of the sample, and at least a
/// minimum. Rows without a label are sampled separately.
class StratifiedSample {
 public:
  StratifiedSample(Index max_rows, std::uint64_t seed) : max_rows_(max_rows), keys_(seed) {}

  void add(DigestedChunk&& chunk) {
    Table& table = chunk.table;
    const Rows rows(table);
    const std::vector<std::size_t> strata = strata_of(table);
    std::vector<Index> chosen;
    for (Index i = 0; i < table.rows(); ++i) {
      Stratum& stratum = strata_[strata[at(i)]];
      const Index all_copies = rows.copies(i);
      total_ += all_copies;
      if (table.frequencies && total_ > data::max_copies) data::refuse_copies();
      for (Index copies = all_copies; copies > 0; --copies) {
        ++stratum.rows;
        const std::uint64_t key = keys_.next(chunk.digests[at(i)]);
        if (key >= stratum.bound) continue;
        chosen.push_back(i);
        kept_.push_back({key, strata[at(i)]});
        if (std::ssize(chosen) <= 2 * capacity()) continue;
        keep(data::selected(table, chosen));
        chosen.clear();
        thin_out(&StratifiedSample::set_bounds);
      }
    }
    if (!chosen.empty() || tables_.empty())  // the first table defines the columns
      keep(is_whole(table, chosen) ? std::move(table) : data::selected(table, chosen));
    if (std::ssize(kept_) > 2 * capacity()) thin_out(&StratifiedSample::set_bounds);
  }

  RowSample result() && {
    Index rows = 0, labelled = 0;
    for (const Stratum& one : strata_) rows += one.rows;
    for (std::size_t s = 1; s < strata_.size(); ++s) labelled += strata_[s].rows;
    thin_out(&StratifiedSample::set_final_bounds);
    Table sample = data::join(std::move(tables_));
    if (labelled > max_rows_) weigh(sample, labelled);
    return {std::move(sample), rows, labelled};
  }

 private:
  static constexpr std::uint64_t unbounded = ~std::uint64_t{0};
  struct Stratum {
    Index rows = 0;
    std::uint64_t bound = unbounded;  ///< rows with this or a larger key are not kept
  };
  struct Kept {
    std::uint64_t key;
    std::size_t stratum;
  };

  /// Stratum of each row; stratum 0 has no label.
  std::vector<std::size_t> strata_of(const Table& table) {
    std::vector<std::size_t> of_class;
    for (const std::string& name : table.classes) {
      const auto [known, is_new] = stratum_of_.try_emplace(name, strata_.size());
      if (is_new) strata_.emplace_back();
      of_class.push_back(known->second);
    }
    std::vector<std::size_t> strata(at(table.rows()), 0);
    for (std::size_t i = 0; i < table.labels.size(); ++i)
      if (table.labels[i] >= 0) strata[i] = of_class[at(table.labels[i])];
    return strata;
  }

  /// Until all rows are counted, twice the sample of labelled rows is kept, and `reserve` rows of
  /// each class. A class with a larger share lacks some of its rows with a probability below 1e-8
  /// (that a Poisson variable of mean 128 is below 64).
  static constexpr Index reserve = 64;
  [[nodiscard]] Index capacity() const { return 3 * max_rows_ + reserve * std::ssize(strata_); }

  static bool is_whole(const Table& table, const std::vector<Index>& chosen) {
    return std::ssize(chosen) == table.rows() && !table.frequencies;
  }

  /// From here on each row counts once.
  void keep(Table&& table) {
    if (std::exchange(table.frequencies, false)) table.weights.clear();
    tables_.push_back(std::move(table));
  }

  using Keys = std::vector<std::vector<std::uint64_t>>;  // sorted, for each stratum

  void set_bounds(const Keys& keys) {
    std::vector<std::uint64_t> labelled;
    for (std::size_t s = 1; s < keys.size(); ++s)
      labelled.insert(labelled.end(), keys[s].begin(), keys[s].end());
    std::ranges::sort(labelled);
    const std::uint64_t common = key_after(labelled, 2 * max_rows_);
    strata_[0].bound = key_after(keys[0], max_rows_);
    for (std::size_t s = 1; s < keys.size(); ++s)
      strata_[s].bound = std::max(common, key_after(keys[s], reserve));
  }

  void set_final_bounds(const Keys& keys) {
    Index labelled = 0;
    for (std::size_t s = 1; s < strata_.size(); ++s) labelled += strata_[s].rows;
    strata_[0].bound = key_after(keys[0], max_rows_);
    for (std::size_t s = 1; s < keys.size(); ++s)
      strata_[s].bound =
          key_after(keys[s], data::rows_of_stratum(strata_[s].rows, labelled, max_rows_));
  }

  /// Adjusts weights so that classes with more rows than their share have the same total weight as
  /// in the source.
  void weigh(Table& sample, Index labelled) const {
    Vector rows(sample.classes.size());
    double all = 0;
    for (const std::int32_t label : sample.labels) {
      if (label < 0) continue;
      ++rows[at(label)];
      ++all;
    }
    if (sample.weights.empty()) sample.weights.assign(at(sample.rows()), 1);
    for (std::size_t i = 0; i < sample.labels.size(); ++i) {
      if (sample.labels[i] < 0) continue;
      const std::size_t k = at(sample.labels[i]);
      const Index in_source = strata_[stratum_of_.at(sample.classes[k])].rows;
      sample.weights[i] *= data::weight_of_stratum(
          {static_cast<double>(in_source), static_cast<double>(labelled)}, {rows[k], all});
    }
  }

  /// The smallest key that is not among the first `count`.
  static std::uint64_t key_after(const std::vector<std::uint64_t>& sorted, Index count) {
    return std::ssize(sorted) > count ? sorted[at(count)] : unbounded;
  }

  void thin_out(void (StratifiedSample::*set)(const Keys&)) {
    Keys keys(strata_.size());
    for (const Kept& one : kept_) keys[one.stratum].push_back(one.key);
    for (auto& of_stratum : keys) std::ranges::sort(of_stratum);
    (this->*set)(keys);
    std::vector<Table> tables = std::move(tables_);
    const std::vector<Kept> kept = std::move(kept_);
    tables_.clear();
    kept_.clear();
    auto row = kept.begin();
    for (Table& table : tables) {
      std::vector<Index> chosen;
      for (Index i = 0; i < table.rows(); ++i, ++row) {
        if (row->key >= strata_[row->stratum].bound) continue;
        chosen.push_back(i);
        kept_.push_back(*row);
      }
      if (!chosen.empty() || tables_.empty())
        keep(is_whole(table, chosen) ? std::move(table) : data::selected(table, chosen));
    }
  }

  Index max_rows_;
  Index total_ = 0;
  RowKeys keys_;
  std::map<std::string, std::size_t> stratum_of_;
  std::vector<Stratum> strata_{1};
  std::vector<Table> tables_;
  std::vector<Kept> kept_;  // one for each row of the tables
};

}  // namespace

double RowSample::unlabelled_scale() const {
  const auto labelled = static_cast<double>(
      std::ranges::count_if(rows.labels, [](std::int32_t label) { return label >= 0; }));
  const double unlabelled = static_cast<double>(rows.rows()) - labelled;
  if (labelled == 0 || unlabelled == 0) return 1;
  const auto labelled_rows = static_cast<double>(labelled_of);
  return ((static_cast<double>(of) - labelled_rows) / unlabelled) / (labelled_rows / labelled);
}

void data::refuse_copies() {
  throw Error(Errc::bad_data,
              fmt::format("the counts add up to more than {} rows, too many to be taken one by one",
                          max_copies),
              {"name a model with {}, or give the counts as {}", {{"model"}, {"weights"}}});
}

Index data::rows_of_stratum(Index rows, Index of, Index sample) {
  if (of <= sample) return rows;
  constexpr Index min_rows = 20;
  const double share =
      static_cast<double>(sample) * (static_cast<double>(rows) / static_cast<double>(of));
  return std::min(rows, std::max(min_rows, static_cast<Index>(std::ceil(share))));
}

double data::weight_of_stratum(const Share& source, const Share& sample) {
  return (source.rows / source.of) / (sample.rows / sample.of);
}

RowSample data::sampled(const Rows& rows, Index max_rows, std::uint64_t seed) {
  StratifiedSample sample(std::max<Index>(1, max_rows), seed);
  const Index step = std::max<Index>(max_rows, 1);
  for (Index begin = 0; begin == 0 || begin < rows.count(); begin += step)
    sample.add(DigestedChunk(table_of(rows.between(begin, std::min(rows.count(), begin + step)))));
  return std::move(sample).result();
}

RowSample read_sample(RowsRef rows, Index max_rows, std::uint64_t seed, const Control& control) {
  if (const Rows* all = rows->in_memory()) return data::sampled(*all, max_rows, seed);
  return rows
      ->reduce(
          control, [&] { return StratifiedSample(std::max<Index>(1, max_rows), seed); },
          [](Table&& chunk) { return DigestedChunk(std::move(chunk)); },
          [](StratifiedSample& all, DigestedChunk&& chunk) { all.add(std::move(chunk)); })
      .result();
}

}  // namespace genera
