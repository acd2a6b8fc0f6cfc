#include "sums/class_moments.hpp"

#include <algorithm>
#include <utility>

#include "kernel/aligned.hpp"
#include "kernel/scatter.hpp"
#include "sums/centred_sums.hpp"

namespace genera::sums {
namespace {

using kernel::AlignedVector;

constexpr Index rows_of_panel = 128;
/// Rows whose addresses are known at a time.
constexpr Index known_rows = 1024;

// Doubles that stay in the first-level cache, and in the second beside the rows that pass through.
constexpr Index few_sums = 1 << 12, few_products = 1 << 17;

}  // namespace

struct ClassMoments::State {
  State(data::NumberColumns columns, Scatter scatter_kind, Index class_count)
      : numbers(std::move(columns)),
        kind(scatter_kind),
        classes(class_count),
        d(numbers.count()),
        stride(kernel::panel_stride(d)),
        centres(size(stride)),
        sums(size(stride)),
        largest(size(stride)),
        scatter(size(scatter_size(d, kind))),
        panels(kind == Scatter::full ? size(rows_of_panel * stride) : 0),
        filled(static_cast<std::size_t>(classes)),
        totals(static_cast<std::size_t>(classes)) {}

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

  /// Where these rows lie, and in `weights` what they weigh if they do not count once each.
  kernel::RowsInMemory find(const Rows& some) {
    weights.clear();
    if (!some.data().weights.empty()) {
      for (Index i = 0; i < some.count(); ++i) weights.push_back(some.weight(some.row(i)));
    }
    return numbers.in_memory(some, addresses);
  }
  [[nodiscard]] const double* given_weights() const {
    return weights.empty() ? nullptr : weights.data();
  }

  /// The first rows of each class, at most so many.
  std::vector<std::vector<Index>> first_rows(std::size_t most) const {
    std::vector<std::vector<Index>> first(static_cast<std::size_t>(classes));
    Index lacking = classes;
    for (std::size_t i = 0; i < class_of.size() && lacking > 0; ++i) {
      if (class_of[i] < 0) continue;
      std::vector<Index>& own = first[static_cast<std::size_t>(class_of[i])];
      if (own.size() == most) continue;
      own.push_back(rows.row(static_cast<Index>(i)));
      if (own.size() == most) --lacking;
    }
    return first;
  }

  void find_centres() {
    const auto first = first_rows(rows_for_centre);
    for (Index k = 0; k < classes; ++k) {
      const kernel::RowsInMemory found = find(rows.only(first[static_cast<std::size_t>(k)]));
      of(k).find_centre(found, given_weights());
    }
  }

  void find_largest(Index k) {
    std::vector<Index> own;
    for (std::size_t i = 0; i < class_of.size(); ++i) {
      if (class_of[i] == k) own.push_back(rows.row(static_cast<Index>(i)));
    }
    kernel::find_largest(numbers.in_memory(own, addresses), of(k).centre, of(k).largest);
  }

  void add_weights(std::span<const std::int32_t> of_rows) {
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (of_rows[i] >= 0) totals[static_cast<std::size_t>(of_rows[i])] += weights[i];
    }
  }

  void add_up() {
    for (Index first = 0; first < rows.count(); first += known_rows) {
      const Index end = std::min(rows.count(), first + known_rows);
      const kernel::RowsInMemory some = find(rows.between(first, end));
      const auto own =
          class_of.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(end - first));
      add_weights(own);
      const kernel::ByClass by{own.data(), given_weights(), centres.data()};
      if (kind == Scatter::full)
        distribute(some, by);
      else
        kernel::add_deviations(some, by, sums.data(), scatter.data());
    }
    for (Index k = 0; k < classes; ++k) add_products(k, {});
  }

  void distribute(kernel::RowsInMemory some, kernel::ByClass by) {
    while (!some.rows.empty()) {
      const Index taken = kernel::distribute_rows(some, by, sums.data(),
                                                  {panels.data(), filled.data(), rows_of_panel});
      some.rows = some.rows.subspan(static_cast<std::size_t>(taken));
      const std::int32_t last = by.classes[taken - 1];
      by.classes += taken;
      if (by.weights) by.weights += taken;
      if (last < 0 || filled[static_cast<std::size_t>(last)] < rows_of_panel) continue;
      kernel::RowsInMemory ahead = some;
      ahead.rows =
          some.rows.first(std::min(static_cast<std::size_t>(rows_of_panel), some.rows.size()));
      add_products(last, ahead);
    }
  }

  void add_products(Index k, const kernel::RowsInMemory& ahead) {
    const Index count = std::exchange(filled[static_cast<std::size_t>(k)], 0);
    if (count == 0) return;
    kernel::add_products({panels.data() + k * rows_of_panel * stride, count, d, stride},
                         of(k).scatter, ahead);
  }

  data::NumberColumns numbers;
  Scatter kind;
  Index classes, d, stride;
  AlignedVector centres, sums, largest, scatter, panels;
  std::vector<Index> filled;  // rows of each panel
  Vector totals;              // weights of classes
  Rows rows{};                // that are summed up, and their classes
  std::span<const std::int32_t> class_of{};
  std::vector<const char*> addresses{};
  Vector weights{};
};

bool ClassMoments::suit(const data::NumberColumns& numbers, Scatter kind, Index classes) {
  if (classes == 0 || !numbers.lies_in_memory()) return false;
  const Index stride = kernel::panel_stride(numbers.count());
  const Index products = kind == Scatter::full ? (rows_of_panel + stride) * stride : 0;
  return classes * 3 * stride <= few_sums && classes * products <= few_products;
}

ClassMoments::ClassMoments(data::NumberColumns numbers, Scatter kind, Index classes)
    : state_(std::make_unique<State>(std::move(numbers), kind, classes)) {}
ClassMoments::ClassMoments(ClassMoments&&) noexcept = default;
ClassMoments& ClassMoments::operator=(ClassMoments&&) noexcept = default;
ClassMoments::~ClassMoments() = default;

void ClassMoments::sum_up(const Rows& rows, const ClassesOfRows& of) {
  State& s = *state_;
  s.rows = rows;
  s.class_of = of.classes;
  s.find_centres();
  for (AlignedVector* numbers : {&s.sums, &s.largest, &s.scatter})
    std::fill(numbers->begin(), numbers->end(), 0.0);
  const bool weighted = !rows.data().weights.empty();
  for (std::size_t k = 0; k < s.totals.size(); ++k)
    s.totals[k] = weighted ? 0 : static_cast<double>(of.counts[k]);
  s.add_up();
}

std::optional<Moments> ClassMoments::of_class(Index k, Moments memory) {
  const CentredSums sums = state_->of(k);
  if (sums.is_far_from_mean()) return std::nullopt;
  if (sums.some_squares_vanish()) state_->find_largest(k);
  return sums.moments(std::move(memory));
}

}  // namespace genera::sums
