#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <genera/random.hpp>

#include "kernel/infinity.hpp"
#include "kernel/normal_box.hpp"

/// Probability that the cells of a block lie in a box, given known cells.
namespace genera::blocks {

/// A question about the columns of a block, in the layout of a table in the order of the model
/// (blocks/fill.hpp). No column is both asked about and known.
struct BoxQuestion {
  std::span<const kernel::Interval> numbers{};   ///< from -inf to inf: not asked
  std::span<const std::int32_t> levels{};        ///< -1: not asked
  std::span<const double> known_numbers{};       ///< NaN: unknown
  std::span<const std::int32_t> known_levels{};  ///< -1: unknown
  Rng rng{};
};

[[nodiscard]] inline bool is_bounded(const kernel::Interval& interval) {
  return interval.low > -kernel::infinity || interval.high < kernel::infinity;
}

/// exp(log_weight) times the probability of the box, or times 1 without a box.
struct BoxTerm {
  double log_weight = 0;
  std::optional<kernel::NormalBox> box{};

  [[nodiscard]] kernel::LogProbability estimate() const {
    kernel::LogProbability found = box ? box->estimate() : kernel::LogProbability{};
    found.log += log_weight;
    return found;
  }
};
/// A probability as a sum of terms, one per component.
using BoxTerms = std::vector<BoxTerm>;

/// A probability in closed form.
[[nodiscard]] inline BoxTerms exactly(double log) {
  BoxTerms one;
  one.push_back({log, std::nullopt});
  return one;
}

/// Sum of probabilities with independent errors of integration.
[[nodiscard]] inline kernel::LogProbability sum_of(std::span<const kernel::LogProbability> parts) {
  kernel::LogProbability all{-kernel::infinity};
  for (const kernel::LogProbability& part : parts) {
    all.log = std::max(all.log, part.log);
    all.evaluations += part.evaluations;
  }
  if (std::isinf(all.log)) return all;
  double sum = 0, squares = 0, bounds = 0;
  for (const kernel::LogProbability& part : parts) {
    const double share = std::exp(part.log - all.log), error = share * part.relative_error;
    sum += share;
    squares += error * error;
    bounds += share * part.relative_bound;
  }
  all.log += std::log(sum);
  all.relative_error = std::sqrt(squares) / sum;
  all.relative_bound = bounds / sum;
  return all;
}

/// The product of independent probabilities.
[[nodiscard]] inline kernel::LogProbability product_of(const kernel::LogProbability& a,
                                                       const kernel::LogProbability& b) {
  const double bound = (1 + a.relative_bound) * (1 + b.relative_bound);
  return {a.log + b.log, std::hypot(a.relative_error, b.relative_error) * bound, bound - 1,
          a.evaluations + b.evaluations};
}

}  // namespace genera::blocks
