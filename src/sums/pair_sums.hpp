#pragma once

#include <span>
#include <vector>

#include <genera/rows.hpp>
#include <genera/stats.hpp>

/// Weights of pairs of levels (ClassStatistics::pairs).
namespace genera::sums {

[[nodiscard]] constexpr std::size_t count_of_pairs(std::size_t columns) {
  return columns < 2 ? 0 : columns * (columns - 1) / 2;
}
/// Index of the pair of columns a < b.
[[nodiscard]] constexpr std::size_t pair_place(std::size_t a, std::size_t b, std::size_t columns) {
  return a * (2 * columns - a - 1) / 2 + (b - a - 1);
}

/// Throws Error (bad_data) if the weights of all pairs need more than 1 GiB.
void refuse_many_pairs(std::span<const Index> levels, Index classes);
void refuse_many_pairs(const DataView& data);

/// Counts rows of one class; rows in which one of two columns is missing do not count for this
/// pair.
void count_pairs(const DataView& data, const std::vector<Index>& rows, std::vector<Matrix>& to);

/// Where their columns and levels are among ours. No map: the same numbers.
struct PairMap {
  const std::vector<Index>& columns;
  const std::vector<std::vector<std::int32_t>>& levels;
};
/// Adds theirs to (or subtracts them from) ours.
void add_pairs(std::vector<Matrix>& ours, const std::vector<Matrix>& theirs, const PairMap& map,
               double sign);
/// As for vectors (discrete_sums.hpp).
[[nodiscard]] bool clear_rounding(std::vector<Matrix>& left, const std::vector<Matrix>& before);

/// The weights of the kept levels of each column.
[[nodiscard]] std::vector<Matrix> kept_pairs(const std::vector<Matrix>& pairs,
                                             const std::vector<std::vector<std::size_t>>& kept);

}  // namespace genera::sums
