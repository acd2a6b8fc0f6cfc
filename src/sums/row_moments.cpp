#include "sums/row_moments.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "kernel/aligned.hpp"
#include "kernel/double_double.hpp"
#include "kernel/infinity.hpp"
#include "kernel/mirror.hpp"
#include "kernel/scatter.hpp"
#include "sums/least_scatter.hpp"

namespace genera::sums {
namespace {

using kernel::AlignedVector;
using kernel::HighLow;
using kernel::RowPanel;

// A panel stays in the second-level cache, and three vectors of its columns in the first.
constexpr Index panel_doubles = 1 << 17, least_panel_rows = 64, most_panel_rows = 128;

/// So many rows tell where the centre of all may be.
constexpr std::size_t rows_for_centre = 32;

/// Products of deviations from a centre lose accuracy if it is far from the mean: the part of a sum
/// of squares that the difference of the two may cost.
constexpr double far_centre = 1.0 / 3;

}  // namespace

/// With deviations z from any centre c: the mean is c + r, r the mean of z, and the scatter
/// sum w z z' - W r r'. The first rows tell a centre that is near; if it is not, the rows are read
/// again around their mean.
struct RowMoments::State {
  State(data::NumberColumns numbers, std::span<const double> all_weights, Scatter kind)
      : numbers_(std::move(numbers)),
        all_weights_(all_weights),
        kind_(kind),
        d_(numbers_.count()),
        stride_(kernel::panel_stride(d_)),
        rows_per_panel_(std::clamp(panel_doubles / stride_, least_panel_rows, most_panel_rows)),
        panel_(kind == Scatter::full ? static_cast<std::size_t>(rows_per_panel_ * stride_) : 0),
        centre_(static_cast<std::size_t>(stride_)),
        sums_(static_cast<std::size_t>(stride_)),
        largest_(static_cast<std::size_t>(stride_)),
        scatter_(static_cast<std::size_t>(kind == Scatter::full ? stride_ * stride_ : stride_)) {}

  /// `given`: weights of these rows; empty: those of all rows are asked.
  Moments of(std::span<const Index> rows, std::span<const double> given,
             std::span<const Index> next, Moments memory) {
    const std::size_t few = std::min(rows_for_centre, rows.size());
    find_centre(rows.first(few), given.empty() ? given : given.first(few));
    add_up(rows, given, next);
    if (is_far_from_mean()) {
      for (std::size_t j = 0; j < centre_.size(); ++j) centre_[j] += sums_[j] / weight_;
      add_up(rows, given, next);
    }
    return result(std::move(memory));
  }

 private:
  /// Rows as kernels read them: where they lie, or copied.
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

  /// The mean of a few rows; exactly the value of a column that is constant.
  void find_centre(std::span<const Index> rows, std::span<const double> given) {
    if (rows.empty()) return;
    const double* weights = weights_of(rows, given);
    const double weight = weight_of(rows, weights);
    for (Index j = 0; j < d_; ++j) centre_[static_cast<std::size_t>(j)] = numbers_(rows.front(), j);
    clear(sums_);
    clear(largest_);
    kernel::add_deviations(find(rows, read_), {centre_.data(), weights}, sums_.data(),
                           largest_.data());  // squares, which nobody needs
    for (std::size_t j = 0; j < centre_.size() && weight > 0; ++j) centre_[j] += sums_[j] / weight;
  }

  static void clear(AlignedVector& numbers) { std::fill(numbers.begin(), numbers.end(), 0.0); }

  void add_up(std::span<const Index> rows, std::span<const double> given,
              std::span<const Index> next) {
    clear(scatter_);
    clear(sums_);
    clear(largest_);
    weight_ = 0;
    const auto first_panel = [&](std::span<const Index> some) {
      return some.first(std::min(static_cast<std::size_t>(rows_per_panel_), some.size()));
    };
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
    const kernel::Centring by{centre_.data(), weights};
    if (kind_ == Scatter::full) {
      const RowPanel panel{panel_.data(), static_cast<Index>(rows.size()), d_, stride_};
      kernel::centre_rows(found, by, sums_.data(), panel);
      if (weights) scale_rows(panel, weights);
      kernel::add_products(panel, scatter_.data(), ahead);
    } else {
      kernel::add_deviations(found, by, sums_.data(), scatter_.data(), ahead);
    }
    weight_ += weight_of(rows, weights);
    // Of deviations whose squares are too small to be added, only their size is known.
    bool vanished = false;
    for (Index j = 0; j < d_; ++j) vanished = vanished || squares(j) == 0;
    if (vanished) kernel::find_largest(found, centre_.data(), largest_.data());
  }

  /// Null: every row counts once.
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

  void scale_rows(const RowPanel& panel, const double* weights) const {
    for (Index r = 0; r < panel.rows; ++r) {
      const double root = std::sqrt(weights[r]);
      for (Index j = 0; j < d_; ++j) panel.data[r * stride_ + j] *= root;
    }
  }

  /// Of deviations from the centre.
  [[nodiscard]] double squares(Index j) const {
    return scatter_[static_cast<std::size_t>(kind_ == Scatter::full ? j * stride_ + j : j)];
  }

  [[nodiscard]] bool is_far_from_mean() const {
    for (Index j = 0; j < d_; ++j) {
      const double sum = sums_[static_cast<std::size_t>(j)];
      if (sum * (sum / weight_) > far_centre * squares(j)) return true;
    }
    return false;
  }

  /// 0 if the column is constant, and only then; infinity if its squares are too large.
  [[nodiscard]] double diagonal(Index j, double around_mean) const {
    const auto at = static_cast<std::size_t>(j);
    if (!std::isfinite(squares(j))) return kernel::infinity;
    const bool varies = squares(j) > 0 || is_notable_deviation(largest_[at], centre_[at]);
    return std::max(varies ? least_scatter : 0, around_mean);
  }

  Moments result(Moments m) const {
    const Index rows = kind_ == Scatter::full ? d_ : 1;
    if (m.scatter.rows() != rows || m.scatter.columns() != d_)
      m.scatter = Matrix::for_overwrite(rows, d_);
    m.weight = weight_;
    m.mean.assign(static_cast<std::size_t>(d_), 0);
    m.mean_low.assign(static_cast<std::size_t>(d_), 0);
    Vector shift(static_cast<std::size_t>(d_));
    for (std::size_t j = 0; j < shift.size() && weight_ > 0; ++j) {
      shift[j] = sums_[j] / weight_;
      const HighLow mean = kernel::two_sum(centre_[j], shift[j]);
      m.mean[j] = mean.high;
      m.mean_low[j] = mean.low;
    }
    const auto around_mean = [&](double product, Index i, Index j) {
      return product - shift[static_cast<std::size_t>(i)] * sums_[static_cast<std::size_t>(j)];
    };
    if (kind_ == Scatter::diagonal) {
      for (Index j = 0; j < d_; ++j) m.scatter(0, j) = diagonal(j, around_mean(squares(j), j, j));
      return m;
    }
    for (Index i = 0; i < d_; ++i) {
      const double* products = scatter_.data() + i * stride_;
      double* row = m.scatter.row(i).data();
      for (Index j = 0; j <= i; ++j) row[j] = around_mean(products[j], i, j);
      row[i] = diagonal(i, row[i]);
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
  Found read_{};
  std::vector<const char*> ahead_{};
  Vector weights_{};  // of the rows of a panel
  AlignedVector panel_;
  AlignedVector centre_;
  AlignedVector sums_;     // of deviations from the centre
  AlignedVector largest_;  // of them, where squares vanish
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
