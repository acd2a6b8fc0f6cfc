#pragma once

namespace genera::data {

/// Of a row: beyond it sums of weights and of what they multiply would be too large for a double.
constexpr double largest_weight = 1e100;
/// Frequencies of a billion rows have a sum that is an Index.
constexpr double max_frequency = 1e9;

}  // namespace genera::data
