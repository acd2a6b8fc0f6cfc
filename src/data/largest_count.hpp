#pragma once

namespace genera::data {

/// 2^53. Doubles above it do not represent all whole numbers.
constexpr double largest_count = 9007199254740992;

}  // namespace genera::data
