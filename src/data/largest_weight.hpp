#pragma once

namespace genera::data {

/// Of a row: beyond it sums of weights and of what they multiply would be too large for a double.
constexpr double largest_weight = 1e100;
/// Sums of frequencies must be exact whole numbers.
constexpr double max_frequency = 1e15;

}  // namespace genera::data
