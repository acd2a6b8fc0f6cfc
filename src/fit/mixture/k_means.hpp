#pragma once

#include <cstdint>
#include <vector>

#include <genera/random.hpp>
#include <genera/types.hpp>

namespace genera::fit_detail {

/// The group of each row: k-means++ (Arthur and Vassilvitskii 2007), then Lloyd's iteration. Groups
/// may be empty if rows are equal.
[[nodiscard]] std::vector<std::int32_t> k_means(const Matrix& rows, const Vector& weights,
                                                Index groups, Rng rng);

}  // namespace genera::fit_detail
