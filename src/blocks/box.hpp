#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include <genera/random.hpp>

#include "kernel/infinity.hpp"
#include "kernel/normal_box.hpp"

/// The probability that the cells of a block lie in a box, given cells that are known.
namespace genera::blocks {

/// What is asked of the columns of a block, in the order in which they lie in a table that is laid
/// out as the model is (blocks/fill.hpp). No column is both asked about and known.
struct BoxQuestion {
  std::span<const kernel::Interval> numbers{};   ///< from -inf to inf: anything
  std::span<const std::int32_t> levels{};        ///< -1: any
  std::span<const double> known_numbers{};       ///< NaN: unknown
  std::span<const std::int32_t> known_levels{};  ///< -1: unknown
  Rng rng{};
  int threads = 1;
};

[[nodiscard]] inline bool is_bounded(const kernel::Interval& interval) {
  return interval.low > -kernel::infinity || interval.high < kernel::infinity;
}

/// Of numbers that are added.
[[nodiscard]] inline kernel::LogProbability sum_of(std::span<const kernel::LogProbability> parts) {
  double largest = -kernel::infinity, sum = 0, error = 0;
  for (const kernel::LogProbability& part : parts) largest = std::max(largest, part.log);
  if (std::isinf(largest)) return {-kernel::infinity, 0};
  for (const kernel::LogProbability& part : parts) {
    const double share = std::exp(part.log - largest);
    sum += share;
    error += share * part.relative_error;
  }
  return {largest + std::log(sum), error / sum};
}

}  // namespace genera::blocks
