#include "sums/row_moments.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "kernel/aligned.hpp"
#include "kernel/scatter.hpp"
#include "sums/centred_sums.hpp"

namespace genera::sums {
namespace {

using kernel::AlignedVector;

}  // namespace

/// The centre is estimated from the first rows; if it is far from the mean, the rows are summed
/// again around their mean.
struct RowMoments::State {
  State(data::NumberColumns numbers, std::span<const double> all_weights, Scatter kind)
      : numbers_(std::move(numbers)),
        all_weights_(all_weights),
        kind_(kind),
        d_(numbers_.count()),
        stride_(kernel::panel_stride(d_)),
        rows_per_panel_(rows_of_panel(d_)),
        panel_(kind == Scatter::full ? static_cast<std::size_t>(rows_per_panel_ * stride_) : 0),
        centre_(static_cast<std::size_t>(stride_)),
        sums_(static_cast<std::size_t>(stride_)),
        largest_(static_cast<std::size_t>(stride_)),
        scatter_(static_cast<std::size_t>(scatter_size(d_, kind))) {}

  /// `given`: weights of these rows; empty: the weights of the data.
  Moments of(std::span<const Index> rows, std::span<const double> given,
             std::span<const Index> next, Moments memory) {
    const std::span<const Index> few = rows.first(std::min(rows_for_centre, rows.size()));
    total().find_centre(find(few, read_),
                        weights_of(few, given.empty() ? given : given.first(few.size())));
    add_up(rows, given, next);
    if (total().is_far_from_mean()) {
      for (std::size_t j = 0; j < centre_.size(); ++j) centre_[j] += sums_[j] / weight_;
      add_up(rows, given, next);
    }
    if (total().some_squares_vanish()) find_largest(rows);
    return total().moments(std::move(memory));
  }

 private:
  /// Rows in the form that kernels read: in place, or copied.
  struct Found {
    std::vector<const char*> at{};
    Vector copy{};
  };

  kernel::RowsInMemory find(std::span<const Index> rows, Found& found) const {
    const kernel::RowsInMemory there = numbers_.in_memory(rows, found.at);
    if (!there.rows.empty()) return there;
    found.copy.resize(rows.size() * static_cast<std::size_t>(d_));
    numbers_.gather_rows(rows, d_, found.copy.data());
    for (std::size_t r = 0; r < rows.size(); ++r)
      found.at.push_back(
          reinterpret_cast<const char*>(found.copy.data() + r * static_cast<std::size_t>(d_)));
    return {found.at, d_, false};
  }

  [[nodiscard]] CentredSums total() {
    return {kind_, d_, centre_.data(), sums_.data(), scatter_.data(), largest_.data(), weight_};
  }

  static void clear(AlignedVector& numbers) { std::fill(numbers.begin(), numbers.end(), 0.0); }

  [[nodiscard]] std::span<const Index> first_panel(std::span<const Index> rows) const {
    return rows.first(std::min(static_cast<std::size_t>(rows_per_panel_), rows.size()));
  }

  void add_up(std::span<const Index> rows, std::span<const double> given,
              std::span<const Index> next) {
    clear(scatter_);
    clear(sums_);
    clear(largest_);
    weight_ = 0;
    kernel::RowsInMemory found = find(first_panel(rows), read_);
    while (!rows.empty()) {
      const std::span<const Index> panel = first_panel(rows);
      rows = rows.subspan(panel.size());
      const kernel::RowsInMemory ahead =
          numbers_.in_memory(first_panel(rows.empty() ? next : rows), ahead_);
      add_panel(panel, found, given.empty() ? given : given.first(panel.size()), ahead);
      if (!given.empty()) given = given.subspan(panel.size());
      std::swap(read_.at, ahead_);
      found = ahead.rows.empty() ? find(first_panel(rows), read_) : ahead;
    }
  }

  void add_panel(std::span<const Index> rows, const kernel::RowsInMemory& found,
                 std::span<const double> given, const kernel::RowsInMemory& ahead) {
    const double* weights = weights_of(rows, given);
    total().add(found, weights, panel_.data(), ahead);
    weight_ += weight_of(rows, weights);
  }

  void find_largest(std::span<const Index> rows) {
    while (!rows.empty()) {
      const std::span<const Index> panel = first_panel(rows);
      rows = rows.subspan(panel.size());
      kernel::find_largest(find(panel, read_), centre_.data(), largest_.data());
    }
  }

  /// Null: all weights are 1.
  const double* weights_of(std::span<const Index> rows, std::span<const double> given) {
    if (!given.empty()) return given.data();
    if (all_weights_.empty()) return nullptr;
    weights_.clear();
    for (const Index row : rows) weights_.push_back(all_weights_[static_cast<std::size_t>(row)]);
    return weights_.data();
  }

  static double weight_of(std::span<const Index> rows, const double* weights) {
    return weights ? std::accumulate(weights, weights + rows.size(), 0.0)
                   : static_cast<double>(rows.size());
  }

  data::NumberColumns numbers_;
  std::span<const double> all_weights_;
  Scatter kind_;
  Index d_;
  Index stride_;
  Index rows_per_panel_;
  Found read_{};
  std::vector<const char*> ahead_{};
  Vector weights_{};  // of the rows of a panel
  AlignedVector panel_;
  AlignedVector centre_;
  AlignedVector sums_;     // of deviations from the centre
  AlignedVector largest_;  // largest deviations, for columns whose squares underflow
  AlignedVector scatter_;  // around the centre
  double weight_ = 0;
};

RowMoments::RowMoments(data::NumberColumns numbers, std::span<const double> weights, Scatter kind)
    : state_(std::make_unique<State>(std::move(numbers), weights, kind)) {}
RowMoments::RowMoments(RowMoments&&) noexcept = default;
RowMoments& RowMoments::operator=(RowMoments&&) noexcept = default;
RowMoments::~RowMoments() = default;

Moments RowMoments::of(std::span<const Index> rows, std::span<const Index> next, Moments memory) {
  return state_->of(rows, {}, next, std::move(memory));
}
Moments RowMoments::of(std::span<const Index> rows, std::span<const double> weights) {
  return state_->of(rows, weights, {}, {});
}

}  // namespace genera::sums
