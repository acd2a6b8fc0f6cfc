#include "sums/class_moments.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "kernel/aligned.hpp"
#include "kernel/scatter.hpp"
#include "sums/centred_sums.hpp"

namespace genera::sums {
namespace {

using kernel::AlignedVector;

// Numbers of doubles that fit together into the second-level cache: the sums of all classes, and
// the batch being summed while the next one is prefetched.
constexpr Index few_sums = 1 << 17, few_in_batch = 1 << 15;

// Average number of rows of a class in a batch; their sums are loaded and stored once for all of
// them.
constexpr Index enough_rows = 32, min_rows = 4;

Index rows_of_batch(Index columns, Index classes) {
  constexpr Index min = 256;
  return std::min(std::max(min, enough_rows * classes),
                  few_in_batch / kernel::panel_stride(columns));
}

}  // namespace

struct ClassMoments::State {
  State(data::NumberColumns columns, Scatter scatter_kind, Index class_count)
      : numbers(std::move(columns)),
        kind(scatter_kind),
        classes(class_count),
        d(numbers.count()),
        stride(kernel::panel_stride(d)),
        batch_rows(rows_of_batch(d, classes)),
        centres(size(stride)),
        sums(size(stride)),
        largest(size(stride)),
        scatter(size(scatter_size(d, kind))),
        panel(kind == Scatter::full ? static_cast<std::size_t>(rows_of_panel(d) * stride) : 0),
        counts(static_cast<std::size_t>(classes)),
        totals(static_cast<std::size_t>(classes)),
        ends(static_cast<std::size_t>(classes) + 1) {}

  [[nodiscard]] std::size_t size(Index of_class) const {
    return static_cast<std::size_t>(classes * of_class);
  }

  CentredSums of(Index k) {
    return {kind,
            d,
            centres.data() + k * stride,
            sums.data() + k * stride,
            scatter.data() + k * scatter_size(d, kind),
            largest.data() + k * stride,
            totals[static_cast<std::size_t>(k)]};
  }

  /// The first rows of each class, at most `max`.
  std::vector<std::vector<Index>> first_rows(std::size_t max) const {
    std::vector<std::vector<Index>> first(static_cast<std::size_t>(classes));
    Index lacking = classes;
    for (std::size_t i = 0; i < class_of.size() && lacking > 0; ++i) {
      if (class_of[i] < 0) continue;
      std::vector<Index>& own = first[static_cast<std::size_t>(class_of[i])];
      if (own.size() == max) continue;
      own.push_back(rows.row(static_cast<Index>(i)));
      if (own.size() == max) --lacking;
    }
    return first;
  }

  void find_centres() {
    const auto first = first_rows(rows_for_centre);
    for (Index k = 0; k < classes; ++k) {
      const std::vector<Index>& own = first[static_cast<std::size_t>(k)];
      weights.clear();
      for (const Index row : own)
        if (!rows.data().weights.empty()) weights.push_back(rows.weight(row));
      of(k).find_centre(numbers.in_memory(own, addresses),
                        weights.empty() ? nullptr : weights.data());
    }
  }

  void find_largest(Index k) {
    std::vector<Index> own;
    for (std::size_t i = 0; i < class_of.size(); ++i) {
      if (class_of[i] == k) own.push_back(rows.row(static_cast<Index>(i)));
    }
    kernel::find_largest(numbers.in_memory(own, addresses), of(k).centre, of(k).largest);
  }

  void add_up() {
    kernel::RowsInMemory next = batch_from(0);
    for (Index first = 0; first < rows.count(); first += batch_rows) {
      sort_by_class(next, first);
      next = batch_from(first + batch_rows);
      for (Index k = 0; k < classes; ++k) add_class(k, next);
    }
  }

  /// Memory of the batch that begins with this row.
  kernel::RowsInMemory batch_from(Index first) {
    const auto at_most_all = [&](Index row) { return std::min(row, rows.count()); };
    return numbers.in_memory(rows.between(at_most_all(first), at_most_all(first + batch_rows)),
                             addresses);
  }

  /// Sorts the rows of a batch by class, by address; rows that are left out come first.
  void sort_by_class(const kernel::RowsInMemory& batch, Index first) {
    const auto own = class_of.subspan(static_cast<std::size_t>(first), batch.rows.size());
    const auto place = [](std::int32_t k) { return static_cast<std::size_t>(k + 1); };
    std::fill(ends.begin(), ends.end(), std::size_t{0});
    for (const std::int32_t k : own) ++ends[place(k)];
    std::exclusive_scan(ends.begin(), ends.end(), ends.begin(), std::size_t{0});
    sorted.resize(own.size());
    const bool weighted = !rows.data().weights.empty();
    weights.resize(weighted ? own.size() : 0);
    for (std::size_t i = 0; i < own.size(); ++i) {
      const std::size_t to = ends[place(own[i])]++;
      sorted[to] = batch.rows[i];
      if (weighted) weights[to] = rows.weight(rows.row(first + static_cast<Index>(i)));
    }
  }

  /// Adds the rows of a class in this batch and prefetches about as many of the next.
  void add_class(Index k, const kernel::RowsInMemory& next) {
    const auto place = static_cast<std::size_t>(k);
    const auto part = static_cast<std::size_t>(rows_of_panel(d));
    const std::size_t end = ends[place + 1];
    for (std::size_t at = ends[place]; at < end; at += part) {
      const std::size_t count = std::min(part, end - at);
      const double* own = weights.empty() ? nullptr : weights.data() + at;
      counts[place] += static_cast<Index>(count);
      totals[place] += own ? std::accumulate(own, own + count, 0.0) : static_cast<double>(count);
      const std::size_t asked = std::min(at, next.rows.size());
      of(k).add(
          {std::span(sorted).subspan(at, count), d, next.floats}, own, panel.data(),
          {next.rows.subspan(asked, std::min(count, next.rows.size() - asked)), d, next.floats});
    }
  }

  data::NumberColumns numbers;
  Scatter kind;
  Index classes, d, stride, batch_rows;
  AlignedVector centres, sums, largest, scatter;  // for each class
  AlignedVector panel;
  std::vector<Index> counts;  // rows by class
  Vector totals;              // weights by class
  Rows rows{};                // the rows to sum, with their classes
  std::span<const std::int32_t> class_of{};
  std::vector<const char*> addresses{};
  // For a batch sorted by class: addresses of the rows, their weights (if not all are 1), and the
  // ends of the classes.
  std::vector<const char*> sorted{};
  Vector weights{};
  std::vector<std::size_t> ends;
};

bool ClassMoments::suit(const data::NumberColumns& numbers, Scatter kind, Index classes) {
  if (classes == 0 || !numbers.lies_in_memory()) return false;
  const Index d = numbers.count();
  const Index of_class = 3 * kernel::panel_stride(d) + scatter_size(d, kind);
  return classes * of_class <= few_sums && rows_of_batch(d, classes) >= min_rows * classes;
}

ClassMoments::ClassMoments(data::NumberColumns numbers, Scatter kind, Index classes)
    : state_(std::make_unique<State>(std::move(numbers), kind, classes)) {}
ClassMoments::ClassMoments(ClassMoments&&) noexcept = default;
ClassMoments& ClassMoments::operator=(ClassMoments&&) noexcept = default;
ClassMoments::~ClassMoments() = default;

void ClassMoments::sum_up(const Rows& rows, std::span<const std::int32_t> classes) {
  State& s = *state_;
  s.rows = rows;
  s.class_of = classes;
  s.find_centres();
  for (AlignedVector* numbers : {&s.sums, &s.largest, &s.scatter})
    std::fill(numbers->begin(), numbers->end(), 0.0);
  std::fill(s.counts.begin(), s.counts.end(), Index{0});
  std::fill(s.totals.begin(), s.totals.end(), 0.0);
  s.add_up();
}

std::span<const Index> ClassMoments::counts() const { return state_->counts; }

std::optional<Moments> ClassMoments::of_class(Index k, Moments memory) {
  const CentredSums sums = state_->of(k);
  if (sums.is_far_from_mean()) return std::nullopt;
  if (sums.some_squares_vanish()) state_->find_largest(k);
  return sums.moments(std::move(memory));
}

}  // namespace genera::sums
