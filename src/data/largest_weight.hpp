#pragma once

namespace genera::data {

/// Largest weight of a row; with larger ones, sums of weighted squares could overflow.
constexpr double largest_weight = 1e100;
/// Sums of the frequencies of a billion rows then fit into an Index.
constexpr double max_frequency = 1e9;

}  // namespace genera::data
