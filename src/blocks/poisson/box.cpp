// Probabilities of intervals of counts.
#include <algorithm>
#include <cmath>

#include "blocks/poisson/kind.hpp"
#include "blocks/poisson/rate_table.hpp"
#include "data/largest_count.hpp"

namespace genera::blocks {
namespace {

using kernel::infinity;
using kernel::Interval;

/// The Poisson distribution of one column in one class.
class CountDistribution {
 public:
  CountDistribution(const PoissonBlock& block, Index column, Index k)
      : table_(block.density()),
        rate_(block.parameters().rates(k, column)),
        column_(column),
        k_(k) {}

  [[nodiscard]] double log_between(const Interval& asked) const {
    const Interval counts{std::max(0.0, std::ceil(asked.low)), std::floor(asked.high)};
    if (!(counts.low <= counts.high)) return -infinity;
    if (rate_ == 0) return counts.low == 0 ? 0 : -infinity;
    const double start = std::clamp(std::floor(rate_), counts.low, counts.high);
    const double largest = log_term(start);
    return std::isinf(largest) ? -infinity : largest + log_sum_from(start, largest, counts);
  }

 private:
  [[nodiscard]] double log_term(double count) const {
    return table_.score(column_, count, k_) + genera::detail::RateTable::common(count);
  }

  /// log of the sum of all terms divided by the largest one, at `start`.
  [[nodiscard]] double log_sum_from(double start, double largest, const Interval& counts) const {
    const double slope = std::abs(std::log(start / rate_));
    // Near such counts, doubles skip integers; the terms decrease geometrically.
    if (start > data::largest_count && slope * blocks_per_width > 1)
      return std::log(std::expm1(-slope * (counts.high - counts.low + 1)) / std::expm1(-slope));
    const double width = std::min(std::sqrt(start), 1 / slope);
    const double together = std::max(1.0, std::floor(width / blocks_per_width));
    return std::log(1 + sum_beyond(start, largest, {together, counts.high - start}) +
                    sum_beyond(start, largest, {-together, start - counts.low}));
  }

  /// Blocks of counts on one side of `start`.
  struct Side {
    double step;   // negative: downwards
    double count;  // number of counts
  };
  /// Approximates each block by its middle term and a correction for the curvature.
  [[nodiscard]] double sum_beyond(double start, double largest, const Side& side) const {
    double sum = 0;
    const double together = std::abs(side.step);
    for (double done = 0; done < side.count; done += together) {
      const double size = std::min(together, side.count - done);
      const double middle = start + std::copysign(done + 0.5 * (size + 1), side.step);
      const double slope = std::log(rate_ / (middle + 0.5));
      const double curvature = slope * slope - 1 / (middle + 0.5);
      const double term =
          size * std::exp(log_term(middle) - largest) * (1 + (size * size - 1) / 24 * curvature);
      sum += term;
      if (term < 1e-18 * (1 + sum)) break;
    }
    return sum;
  }

  /// The relative error of middle and curvature is then below 1e-12 / 1920.
  static constexpr double blocks_per_width = 1000;
  const genera::detail::RateTable& table_;
  double rate_;
  Index column_, k_;
};

}  // namespace

/// Columns are independent within a class, so known columns do not matter.
BoxTerms PoissonKind::box(const Block& block, Index k, const BoxQuestion& question) {
  double log = 0;
  for (Index j = 0; j < std::ssize(question.numbers); ++j) {
    const Interval& asked = question.numbers[static_cast<std::size_t>(j)];
    if (is_bounded(asked)) log += CountDistribution(block, j, k).log_between(asked);
  }
  return exactly(log);
}

}  // namespace genera::blocks
