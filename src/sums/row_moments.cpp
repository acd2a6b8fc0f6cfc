#include "sums/row_moments.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/aligned.hpp"
#include "kernel/double_double.hpp"
#include "kernel/mirror.hpp"
#include "kernel/scatter.hpp"
#include "sums/least_scatter.hpp"

namespace genera::sums {
namespace {

using kernel::AlignedVector;
using kernel::HighLow;
using kernel::RowPanel;

constexpr Index panel_doubles = 1 << 15;  // 256 KiB: stays in the second-level cache

/// The part of a sum of squares that the rounding of the mean may cost.
constexpr double notable_residual = 1e-15;

}  // namespace

struct RowMoments::State {
  State(data::NumberColumns numbers, std::span<const double> all_weights, Scatter kind)
      : numbers_(std::move(numbers)),
        all_weights_(all_weights),
        kind_(kind),
        d_(numbers_.count()),
        stride_(kernel::panel_stride(d_)),
        rows_per_panel_(std::clamp<Index>(panel_doubles / stride_, 32, 256)),
        panel_(static_cast<std::size_t>((rows_per_panel_ + 1) * stride_)),
        mean_(static_cast<std::size_t>(stride_)),
        residual_(static_cast<std::size_t>(stride_)),
        zeros_(static_cast<std::size_t>(stride_)),
        squares_(static_cast<std::size_t>(stride_)),
        scatter_(static_cast<std::size_t>(kind == Scatter::full ? stride_ * stride_ : stride_)),
        high_low_(static_cast<std::size_t>(d_)),
        varies_(static_cast<std::size_t>(d_)) {}

  /// `given`: weights of these rows; empty: those of all rows are asked.
  Moments of(std::span<const Index> rows, std::span<const double> given,
             std::span<const Index> next) {
    std::fill(scatter_.begin(), scatter_.end(), 0.0);
    std::fill(varies_.begin(), varies_.end(), 0);
    weight_ = 0;
    const auto total = static_cast<Index>(rows.size());
    for (Index first = 0; first < total; first += rows_per_panel_) {
      const auto begin = static_cast<std::size_t>(first);
      const auto count = static_cast<std::size_t>(std::min(rows_per_panel_, total - first));
      const auto rest = rows.subspan(begin + count);
      if (kind_ == Scatter::full) look_ahead(rest.empty() ? next : rest);
      add_panel(rows.subspan(begin, count), given.empty() ? given : given.subspan(begin, count));
    }
    return result();
  }

 private:
  /// To the first panel of these rows.
  void look_ahead(std::span<const Index> rows) {
    const auto count = std::min(static_cast<std::size_t>(rows_per_panel_), rows.size());
    ahead_rows_.clear();
    ahead_.bytes = numbers_.add_addresses(rows.first(count), ahead_rows_);
    ahead_.rows = ahead_rows_;
  }

  void add_panel(std::span<const Index> rows, std::span<const double> given) {
    gather(rows, given);
    const RowPanel panel{panel_.data(), static_cast<Index>(rows.size()), d_, stride_};
    const double* weights = weights_.empty() ? nullptr : weights_.data();
    double added = 0;
    for (std::size_t r = 0; r < rows.size(); ++r) added += weights ? weights[r] : 1.0;

    std::fill(mean_.begin(), mean_.end(), 0.0);
    std::fill(residual_.begin(), residual_.end(), 0.0);
    kernel::add_sums(panel, weights, mean_.data());
    for (double& m : mean_) m /= added;
    if (kind_ == Scatter::full) {
      add_full(panel, weights, added);
    } else {
      add_diagonal(panel, weights, added);
    }
    weight_ += added;
  }

  void gather(std::span<const Index> rows, std::span<const double> given) {
    numbers_.gather_rows(rows, stride_, panel_.data());
    weights_.assign(given.begin(), given.end());
    if (!given.empty() || all_weights_.empty()) return;
    for (const Index row : rows) weights_.push_back(all_weights_[static_cast<std::size_t>(row)]);
  }

  /// Difference of the panel's mean to the mean so far; the mean moves. Chan's rank-one term is
  /// factor * shift shift'.
  struct Shift {
    Vector by;
    double factor;
  };
  Shift move_mean(double added) {
    const double total = weight_ + added;
    Shift shift{Vector(static_cast<std::size_t>(d_)), weight_ * (added / total)};
    for (std::size_t j = 0; j < shift.by.size(); ++j) {
      const HighLow of_panel{mean_[j], residual_[j]};
      if (weight_ == 0) {
        high_low_[j] = kernel::add({of_panel.high, 0}, of_panel.low);
        continue;
      }
      shift.by[j] = kernel::difference(high_low_[j], of_panel);
      if (shift.by[j] * shift.by[j] == 0 && is_notable_deviation(shift.by[j], mean_[j]))
        varies_[j] = 1;
      high_low_[j] = kernel::add(high_low_[j], shift.by[j] * (added / total));
    }
    return shift;
  }

  void add_diagonal(const RowPanel& panel, const double* weights, double added) {
    kernel::add_deviations(panel, {mean_.data(), weights, residual_.data(), scatter_.data()});
    for (double& r : residual_) r /= added;
    find_tiny_deviations(panel, scatter_.data(), mean_.data());
    const Shift shift = move_mean(added);
    for (std::size_t j = 0; j < shift.by.size(); ++j)
      scatter_[j] += shift.factor * shift.by[j] * shift.by[j] - added * residual_[j] * residual_[j];
  }

  void add_full(RowPanel panel, const double* weights, double added) {
    std::fill(squares_.begin(), squares_.end(), 0.0);
    kernel::centre_rows(panel, {mean_.data(), weights, residual_.data(), squares_.data()});
    for (double& r : residual_) r /= added;
    recentre_if_needed(panel, added);
    if (weights) scale_rows(panel, weights);
    const Shift shift = move_mean(added);
    double* extra = panel_.data() + panel.rows * stride_;  // Chan's term is one more row
    const double root = std::sqrt(shift.factor);
    for (Index j = 0; j < d_; ++j) extra[j] = root * shift.by[static_cast<std::size_t>(j)];
    if (weight_ > 0) ++panel.rows;
    kernel::add_products(panel, scatter_.data(), ahead_);
  }

  /// The scatter is wanted around the mean, not around the rounded one: where the difference shows,
  /// the rows are centred again.
  void recentre_if_needed(const RowPanel& panel, double added) {
    find_tiny_deviations(panel, squares_.data(), zeros_.data());
    bool needed = false;
    for (std::size_t j = 0; j < static_cast<std::size_t>(d_); ++j)
      needed = needed || added * residual_[j] * residual_[j] > notable_residual * squares_[j];
    if (!needed) return;
    for (Index r = 0; r < panel.rows; ++r) {
      for (Index j = 0; j < d_; ++j)
        panel.data[r * stride_ + j] -= residual_[static_cast<std::size_t>(j)];
    }
  }

  /// Columns that vary, although their squares (relative to `centre`) are too small to be added.
  void find_tiny_deviations(const RowPanel& panel, const double* squares, const double* centre) {
    for (std::size_t j = 0; j < varies_.size(); ++j) {
      if (squares[j] != 0 || varies_[j]) continue;
      const double* value = panel.data + j;
      for (Index r = 0; r < panel.rows && !varies_[j]; ++r, value += stride_)
        varies_[j] = is_notable_deviation(*value - centre[j], mean_[j]);
    }
  }

  void scale_rows(const RowPanel& panel, const double* weights) const {
    for (Index r = 0; r < panel.rows; ++r) {
      const double root = std::sqrt(weights[r]);
      for (Index j = 0; j < d_; ++j) panel.data[r * stride_ + j] *= root;
    }
  }

  [[nodiscard]] double least_of(Index j) const {
    return varies_[static_cast<std::size_t>(j)] ? least_scatter : 0;
  }

  Moments result() const {
    Moments m(d_, Scatter::diagonal);
    m.weight = weight_;
    for (std::size_t j = 0; j < high_low_.size(); ++j) {
      m.mean[j] = high_low_[j].high;
      m.mean_low[j] = high_low_[j].low;
    }
    if (kind_ == Scatter::diagonal) {
      for (Index j = 0; j < d_; ++j)
        m.scatter(0, j) = std::max(least_of(j), scatter_[static_cast<std::size_t>(j)]);
      return m;
    }
    m.scatter = Matrix::for_overwrite(d_, d_);
    for (Index i = 0; i < d_; ++i) {
      std::copy_n(scatter_.data() + i * stride_, i + 1, m.scatter.row(i).begin());
      m.scatter(i, i) = std::max(least_of(i), m.scatter(i, i));
    }
    kernel::mirror_lower(m.scatter.data(), d_);
    return m;
  }

  data::NumberColumns numbers_;
  std::span<const double> all_weights_;
  Scatter kind_;
  Index d_;
  Index stride_;
  Index rows_per_panel_;
  AlignedVector panel_;
  std::vector<double> weights_;
  AlignedVector mean_;
  AlignedVector residual_;
  AlignedVector zeros_;
  AlignedVector squares_;
  AlignedVector scatter_;
  kernel::RowsAhead ahead_;
  std::vector<const char*> ahead_rows_;
  std::vector<HighLow> high_low_;
  std::vector<char> varies_;  // d: by less than can be squared
  double weight_ = 0;
};

RowMoments::RowMoments(data::NumberColumns numbers, std::span<const double> weights, Scatter kind)
    : state_(std::make_unique<State>(std::move(numbers), weights, kind)) {}
RowMoments::~RowMoments() = default;

Moments RowMoments::of(std::span<const Index> rows, std::span<const Index> next) {
  return state_->of(rows, {}, next);
}
Moments RowMoments::of(std::span<const Index> rows, std::span<const double> weights) {
  return state_->of(rows, weights, {});
}

}  // namespace genera::sums
