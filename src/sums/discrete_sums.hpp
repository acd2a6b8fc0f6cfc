#pragma once

#include <functional>
#include <vector>

#include <genera/stats.hpp>

/// Sums of what is counted: combined by name, so that shards may have seen different things.
namespace genera::sums {

/// The sum of a name that may have come after the sums ended.
[[nodiscard]] inline double sum_at(const Vector& sums, std::size_t i) {
  return i < sums.size() ? sums[i] : 0;
}

/// Adds (or subtracts) theirs to ours; place i of theirs is place map[i] of ours. Without a map the
/// places are the same, and so is the result.
void add_mapped(Vector& ours, const Vector& theirs, const std::vector<std::int32_t>& map,
                double sign);
void add_mapped(TermSums& ours, const TermSums& theirs, const std::vector<std::int32_t>& map,
                double sign);

/// The numbers that our set gives to their names; new names are added. None if the names are the
/// same. `rename` may be empty.
[[nodiscard]] std::vector<std::int32_t> numbers_in(
    SharedNames& ours, const SharedNames& theirs,
    const std::function<std::string(const std::string&)>& rename = {});

/// The parts of a joint level in another order.
[[nodiscard]] std::string permuted_level(const std::string& level, const std::vector<Index>& order);
[[nodiscard]] std::vector<std::string> split_level(const std::string& level);

/// After a subtraction: what is below zero by rounding becomes zero; false if it is further below.
/// `before` is what there was.
[[nodiscard]] bool clear_rounding(double& left, double before);
[[nodiscard]] bool clear_rounding(Vector& left, const Vector& before);

}  // namespace genera::sums
