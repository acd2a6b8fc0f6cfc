#pragma once

#include <functional>
#include <vector>

#include <genera/stats.hpp>

/// Sums for discrete columns, combined by name, since shards may contain different levels and
/// terms.
namespace genera::sums {

/// The sum of name i; 0 if the name was added later.
[[nodiscard]] inline double sum_at(const Vector& sums, std::size_t i) {
  return i < sums.size() ? sums[i] : 0;
}

/// Adds theirs to (or subtracts them from) ours; index i of theirs is index map[i] of ours. Without
/// a map the indices are equal.
void add_mapped(Vector& ours, const Vector& theirs, const std::vector<std::int32_t>& map,
                double sign);
void add_mapped(TermSums& ours, const TermSums& theirs, const std::vector<std::int32_t>& map,
                double sign);

/// Our numbers for their names, adding new names; empty if the names are the same. `rename` may be
/// empty.
[[nodiscard]] std::vector<std::int32_t> numbers_in(
    SharedNames& ours, const SharedNames& theirs,
    const std::function<std::string(const std::string&)>& rename = {});

/// Reorders the parts of a joint level.
[[nodiscard]] std::string permuted_level(const std::string& level, const std::vector<Index>& order);
[[nodiscard]] std::vector<std::string> split_level(const std::string& level);

/// After a subtraction: what is below zero by rounding becomes zero; false if it is further below.
/// `before` is what there was.
[[nodiscard]] bool clear_rounding(double& left, double before);
[[nodiscard]] bool clear_rounding(Vector& left, const Vector& before);

}  // namespace genera::sums
