#pragma once

namespace genera::data {

/// 2^53: beyond it doubles leave whole numbers out.
constexpr double largest_count = 9007199254740992;

}  // namespace genera::data
