#include "sums/summarise.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "data/columns.hpp"
#include "data/each_code.hpp"
#include "kernel/parallel.hpp"
#include "kernel/progress.hpp"
#include "sums/checked_weight.hpp"
#include "sums/count_rows.hpp"
#include "sums/row_check.hpp"
#include "sums/row_moments.hpp"

namespace genera::sums {
namespace {

void leave_out_weightless(const Rows& rows, std::vector<std::int32_t>& classes,
                          WeightedRows& found) {
  const std::span<const std::string> names = rows.data().labels.names;
  std::vector<RowsOfClass> counts(names.size());
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (classes[i] < 0) continue;
    RowsOfClass& of_class = counts[static_cast<std::size_t>(classes[i])];
    const double weight = checked_weight(rows, rows.row(static_cast<Index>(i)));
    ++(weight == 0 ? of_class.weightless : of_class.weighted);
    of_class.fractional += weight != std::floor(weight) ? 1 : 0;
    of_class.heavy += weight > 1 ? 1 : 0;
    if (weight == 0) classes[i] = -1;
  }
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k].weighted + counts[k].weightless > 0) found.emplace(names[k], counts[k]);
  }
}

/// Class of each row; -1 for rows without a label or weight, which are left out.
std::vector<std::int32_t> classes_of(const Rows& rows, Summary& summary) {
  const DataView& data = rows.data();
  std::vector<std::int32_t> classes = data::codes_of(data.labels, rows);
  summary.unlabelled_rows =
      std::count_if(classes.begin(), classes.end(), [](std::int32_t k) { return k < 0; });
  if (data.frequencies && summary.unlabelled_rows > 0) {
    summary.unlabelled_rows = 0;
    for (std::size_t i = 0; i < classes.size(); ++i)
      if (classes[i] < 0) summary.unlabelled_rows += rows.copies(rows.row(static_cast<Index>(i)));
  }
  if (!data.weights.empty()) leave_out_weightless(rows, classes, summary.weighted);
  return classes;
}

RowsByClass rows_by_class(const Rows& rows, std::span<const std::int32_t> classes) {
  RowsByClass found(rows.data().labels.names.size());
  std::vector<std::size_t> counts(found.size());
  for (const std::int32_t k : classes) {
    if (k >= 0) ++counts[static_cast<std::size_t>(k)];
  }
  for (std::size_t k = 0; k < found.size(); ++k) found[k].reserve(counts[k]);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (classes[i] >= 0)
      found[static_cast<std::size_t>(classes[i])].push_back(rows.row(static_cast<Index>(i)));
  }
  return found;
}

bool is_finite(const Moments& moments) {
  return std::all_of(moments.mean.begin(), moments.mean.end(),
                     [](double m) { return std::isfinite(m); });
}

double weight_of(const Rows& rows, const std::vector<Index>& of_class) {
  double weight = 0;
  for (const Index row : of_class) weight += rows.weight(row);
  return weight;
}

/// Each chunk has sums for the whole vocabulary, which should be fewer than its entries.
Index rows_with_terms(const DataView& data) {
  constexpr Index min = 1 << 14;
  Index entries = 0, sums = 0;
  for (const SparseView& sparse : data.sparse) {
    entries += sparse.begin(data.rows);
    sums += std::ssize(sparse.terms) * std::ssize(data.labels.names);
  }
  return std::max(min, entries > 0 ? sums / std::max<Index>(1, entries / data.rows) : 0);
}

bool all_numeric(const DataView& data) {
  return data.sparse.empty() &&
         std::all_of(data.columns.begin(), data.columns.end(),
                     [](const Column& column) { return column.type == ColumnType::numeric; });
}

// With at least this many numbers per row, rows are sorted by class: each chunk then merges the
// sums (d x d) of one or two classes instead of all. Shorter rows share cache lines with their
// neighbours.
constexpr Index wide_rows = 128;

struct ChunkRows {
  Index max;
  Index enough;  ///< minimum worth a chunk
};

/// More numbers than in a chunk of a file, since only sums are made from them.
ChunkRows chunk_rows(const DataView& data, Index numbers) {
  if (all_numeric(data))
    return numbers < wide_rows ? ChunkRows{16384, 2048} : ChunkRows{4096, 4096};
  const Index rows = data.sparse.empty() ? rows_per_chunk(numbers) : rows_with_terms(data);
  return {rows, rows};
}

/// Number of chunks of equal size, such that two or four threads finish together and chunks have
/// enough rows.
Index even_chunks(Index rows, ChunkRows wanted) {
  constexpr Index share = 4;
  const Index needed = std::max<Index>(1, (rows + wanted.max - 1) / wanted.max);
  const bool few = needed < share && rows < share * wanted.enough;
  const Index chunks = few ? needed : (needed + share - 1) / share * share;
  return std::max<Index>(1, (rows + chunks - 1) / chunks);
}

/// Row positions sorted by class, rows without a class first.
std::vector<Index> sorted_by_class(const Rows& rows) {
  const CodesView& labels = rows.data().labels;
  const auto place = [&](Index row) {
    return static_cast<std::size_t>(std::max<std::int32_t>(labels(row), -1) + 1);
  };
  std::vector<std::size_t> begins(labels.names.size() + 2);
  for (Index i = 0; i < rows.count(); ++i) ++begins[place(rows.row(i)) + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<Index> sorted(static_cast<std::size_t>(rows.count()));
  for (Index i = 0; i < rows.count(); ++i) {
    const Index row = rows.row(i);
    sorted[begins[place(row)]++] = row;
  }
  return sorted;
}

/// The classes that have rows, in the order of statistics. Most of them come after existing
/// classes.
template <class HasRows>
std::vector<std::size_t> by_name(std::span<const std::string> names, HasRows has_rows) {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < names.size(); ++k)
    if (has_rows(k)) order.push_back(k);
  std::ranges::sort(order, {}, [&](std::size_t k) -> const std::string& { return names[k]; });
  return order;
}

Index count_copies(const Rows& rows) {
  if (!rows.data().frequencies) return rows.count();
  Index count = 0;
  for (Index i = 0; i < rows.count(); ++i) count += rows.copies(rows.row(i));
  return count;
}

/// Summarises rows.
class Summariser {
 public:
  Summariser(const Rows& rows, const SummaryOptions& options, const Statistics& none,
             SummaryMemory& memory)
      : rows_(rows),
        data_(rows.data()),
        options_(options),
        memory_(memory),
        summary_{.statistics = none,
                 .rows = count_copies(rows),
                 .missing_cells = std::vector<Index>(data_.columns.size())} {}

  Summary run() {
    if (rows_.count() == 0) return std::move(summary_);
    const std::vector<std::int32_t> classes = classes_of(rows_, summary_);
    std::optional<std::vector<std::size_t>> left;
    if (all_numeric(data_)) left = left_after_one_pass(classes);
    if (left && left->empty()) return std::move(summary_);
    RowsByClass by_class = rows_by_class(rows_, classes);
    if (!left)
      left = by_name(data_.labels.names, [&](std::size_t k) { return !by_class[k].empty(); });
    look_at_each(*left, std::move(by_class));
    return std::move(summary_);
  }

 private:
  /// For rows that contain only numbers: sums all classes in one pass and returns the classes whose
  /// rows must be checked individually; empty if all must.
  std::optional<std::vector<std::size_t>> left_after_one_pass(
      std::span<const std::int32_t> classes) {
    std::optional<ClassMoments> all = memory_.workers_for_all_classes.take();
    if (!all) {
      data::NumberColumns numbers(data_, data::number_places(data_, ColumnType::numeric));
      const Scatter kind = summary_.statistics.scatter();
      const auto count = std::ssize(data_.labels.names);
      if (!ClassMoments::suit(numbers, kind, count)) return std::nullopt;
      all.emplace(std::move(numbers), kind, count);
    }
    all->sum_up(rows_, classes);
    std::vector<std::size_t> left =
        by_name(data_.labels.names, [&](std::size_t k) { return all->counts()[k] > 0; });
    std::erase_if(left, [&](std::size_t k) {
      std::optional<Moments> found = all->of_class(static_cast<Index>(k), unused_moments());
      if (!found || !is_finite(*found)) return false;  // a missing number makes the mean NaN
      const double weight = found->weight;
      add_class(k, *std::move(found), {all->counts()[k], weight});
      return true;
    });
    memory_.workers_for_all_classes.give(*std::move(all));
    return left;
  }

  void look_at_each(const std::vector<std::size_t>& order, RowsByClass by_class) {
    const bool only_numbers = all_numeric(data_);
    RowCheck check(rows_, options_.missing, summary_);
    const CountTotals totals(rows_, check.counts());
    std::optional<RowMoments> moments;
    if (check.numeric().count() > 0) {
      moments = memory_.workers.take();
      if (!moments) moments.emplace(check.numeric(), data_.weights, summary_.statistics.scatter());
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      std::vector<Index>& own = by_class[order[i]];
      const bool complete = !totals.sums(order[i], std::ssize(own)).empty();
      const bool checked = !only_numbers && check.check_all_but_numeric(own, complete);
      const std::span<const Index> next = i + 1 < order.size() ? by_class[order[i + 1]] : own;
      Moments found = unused_moments();
      if (moments) found = moments->of(own, next, std::move(found));
      // Missing numbers are searched only if they show in the mean.
      if (!checked && !is_finite(found)) {
        check.check_numeric(own);
        found = moments->of(own, {}, std::move(found));
      }
      if (own.empty()) continue;
      const double weight = moments ? found.weight : weight_of(rows_, own);
      add_class(order[i], std::move(found), {std::ssize(own), weight});
    }
    if (moments) memory_.workers.give(*std::move(moments));
    if (!only_numbers)
      count_rows(data_, by_class, options_.schema.entries, summary_.statistics, totals);
  }

  Moments unused_moments() { return memory_.moments.take().value_or(Moments()); }

  struct Size {
    Index rows;
    double weight;
  };
  void add_class(std::size_t k, Moments moments, Size size) {
    ClassStatistics& of_class =
        summary_.statistics.add_class(data_.labels.names[k], std::move(moments));
    of_class.rows = data_.frequencies ? static_cast<Index>(size.weight) : size.rows;
    of_class.weight = size.weight;
  }

  const Rows& rows_;
  const DataView& data_;
  const SummaryOptions& options_;
  SummaryMemory& memory_;
  Summary summary_;
};

}  // namespace

Summary summarise(const Rows& rows, const SummaryOptions& options) {
  return summarise(rows, options, no_statistics(rows.data(), options.schema));
}

Summary summarise(const Rows& rows, const SummaryOptions& options, const Statistics& none) {
  SummaryMemory memory;
  return summarise(rows, options, none, memory);
}

Summary summarise(const Rows& rows, const SummaryOptions& options, const Statistics& none,
                  SummaryMemory& memory) {
  return Summariser(rows, options, none, memory).run();
}

void refuse_unlabelled() {
  throw Error(Errc::bad_argument, "the table has no label for each row",
              "name the label column as target, or give one label per row");
}

namespace {

template <class Other>
void add(Summary& a, Other&& b) {
  a.statistics.merge(std::forward<Other>(b).statistics);
  a.rows += b.rows;
  a.unlabelled_rows += b.unlabelled_rows;
  a.incomplete_rows += b.incomplete_rows;
  for (const auto& [name, rows] : b.weighted) {
    RowsOfClass& sum = a.weighted[name];
    sum.weighted += rows.weighted;
    sum.weightless += rows.weightless;
    sum.fractional += rows.fractional;
    sum.heavy += rows.heavy;
  }
  a.missing_cells.resize(std::max(a.missing_cells.size(), b.missing_cells.size()));
  for (std::size_t j = 0; j < b.missing_cells.size(); ++j) a.missing_cells[j] += b.missing_cells[j];
}

}  // namespace

void merge(Summary& a, const Summary& b) { add(a, b); }
void merge(Summary& a, Summary&& b) { add(a, std::move(b)); }

namespace {

Index count_numbers(const DataView& data) {
  Index numbers = 0;
  for (const NumbersView& piece : data.numbers) numbers += piece.columns;
  return numbers;
}

}  // namespace

Index rows_per_part(const Rows& rows) {
  return even_chunks(rows.count(), chunk_rows(rows.data(), count_numbers(rows.data())));
}

Summary summarise_all(const Rows& rows, const SummaryOptions& options, const Control& control) {
  const DataView& data = rows.data();
  if (data.labels.empty() || data.by_position) refuse_unlabelled();
  const Statistics none = no_statistics(data, options.schema);
  Summary total = summarise(rows.between(0, 0), options, none);
  const bool only_numbers = all_numeric(data), wide = only_numbers &&
                                                      count_numbers(data) >= wide_rows &&
                                                      none.scatter() == Scatter::full;
  const std::vector<Index> sorted = wide ? sorted_by_class(rows) : std::vector<Index>();
  const Rows visited = wide ? rows.only(sorted) : rows;
  const Index step = rows_per_part(rows);
  kernel::ProgressMeter meter(control, Progress::Task::reading, rows.count());
  SummaryMemory memory;
  Index next = 0;
  kernel::run_in_order(control.threads, [&]() -> std::optional<kernel::Task> {
    if (next >= rows.count()) return std::nullopt;
    const Rows chunk = visited.between(next, std::min(next + step, rows.count()));
    next += chunk.count();
    return [&, chunk]() -> kernel::Finish {
      return [&, chunk, part = summarise(chunk, options, none, memory)]() mutable {
        if (total.rows == 0 && only_numbers) {  // others are kept without trailing zeros
          total = std::move(part);
        } else {
          merge(total, std::move(part));
          /// classes that were not moved
          for (const ClassStatistics& c : part.statistics.classes()) {
            if (!c.moments.mean.empty())
              memory.moments.give(std::move(part.statistics.of_class(c.name).moments));
          }
        }
        meter.advance(chunk.count());
      };
    };
  });
  return total;
}

}  // namespace genera::sums
