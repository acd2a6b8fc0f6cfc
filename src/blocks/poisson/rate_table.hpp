#pragma once

#include <vector>

#include <genera/discrete.hpp>

#include "kernel/log_factorial.hpp"
#include "kernel/saddle_point.hpp"

namespace genera::detail {

/// Rates and their logarithms; the K values of a column are adjacent.
class RateTable {
 public:
  explicit RateTable(const PoissonParameters& parameters);

  [[nodiscard]] Index classes() const { return classes_; }
  [[nodiscard]] Index columns() const { return columns_; }

  /// log p(count | k) of one class without the terms that all classes share: see `common`.
  [[nodiscard]] double score(Index column, double count, Index k) const {
    const auto at = static_cast<std::size_t>(column * classes_ + k);
    if (count >= kernel::long_count && rates_[at] > 0)
      return -kernel::deviance(count, {rates_[at], 0});
    return count > 0 ? count * logs_[at] - rates_[at] : -rates_[at];  // 0 log 0 = 0
  }
  /// Adds the same for all classes to their scores.
  void add(Index column, double count, double* scores) const {
    for (Index k = 0; k < classes_; ++k) scores[k] += score(column, count, k);
  }
  /// Adds log p(count | k) of all classes to their scores, relative to a rate c of the column,
  /// which keeps the digits in which the classes differ: count log(rate / c) - (rate - c) = (count
  /// - c) (rate - c) / c - count / c deviance(c, rate). c is the largest rate; for large counts the
  /// rate closest to the count.
  void add_relative(Index column, double count, double* scores) const;
  /// The term that all classes share: -log count!, without the powers of large counts.
  [[nodiscard]] static double common(double count) {
    if (count == 0 || count == 1) return 0;  // the most common counts
    return -(count < kernel::long_count ? kernel::log_factorial(count)
                                        : kernel::log_factorial_rest(count));
  }

 private:
  Index classes_, columns_;
  Vector rates_, logs_;              // columns x K
  Vector differences_, log_ratios_;  // relative to the largest rate of the column
  Vector largest_;                   // columns
};

}  // namespace genera::detail
