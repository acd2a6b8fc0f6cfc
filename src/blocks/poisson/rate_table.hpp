#pragma once

#include <vector>

#include <genera/poisson.hpp>

#include "kernel/log_factorial.hpp"
#include "kernel/saddle_point.hpp"

namespace genera::detail {

/// Rates and their logarithms, laid out so that the K of one column lie together.
class RateTable {
 public:
  explicit RateTable(const PoissonParameters& parameters);

  [[nodiscard]] Index classes() const { return classes_; }
  [[nodiscard]] Index columns() const { return columns_; }

  /// log p(count | k) of one class, but for what all classes share: see `common`.
  [[nodiscard]] double score(Index column, double count, Index k) const {
    const auto at = static_cast<std::size_t>(column * classes_ + k);
    if (count >= kernel::long_count && rates_[at] > 0)
      return -kernel::deviance(count, {rates_[at], 0});
    return count > 0 ? count * logs_[at] - rates_[at] : -rates_[at];  // 0 log 0 = 0
  }
  /// The same of all classes, added to their scores.
  void add(Index column, double count, double* scores) const {
    for (Index k = 0; k < classes_; ++k) scores[k] += score(column, count, k);
  }
  /// log p(count | k) of all classes, added to their scores, less that of one rate c of the column,
  /// which keeps the digits in which the classes differ:
  /// count log(rate / c) - (rate - c) = (count - c) (rate - c) / c - count / c deviance(c, rate).
  /// c is the largest rate; for long counts the one nearest to the count.
  void add_relative(Index column, double count, double* scores) const;
  /// What all classes share: -log count!, without the powers of long counts.
  [[nodiscard]] static double common(double count) {
    if (count == 0 || count == 1) return 0;  // most are
    return -(count < kernel::long_count ? kernel::log_factorial(count)
                                        : kernel::log_factorial_rest(count));
  }

 private:
  Index classes_, columns_;
  Vector rates_, logs_;              // columns x K
  Vector differences_, log_ratios_;  // the same, to the largest rate of the column
  Vector largest_;                   // columns
};

}  // namespace genera::detail
