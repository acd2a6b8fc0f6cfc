#pragma once

#include <cstdint>

#include <genera/types.hpp>

namespace genera::kernel {

/// `positions_of` writes up to so many numbers behind the last position.
inline constexpr Index positions_slack = 8;

/// The places of two characters among `size` bytes, ascending; returns their number. `places` has
/// room for `size` of them and the slack.
[[nodiscard]] Index positions_of(const char* bytes, Index size, char one, char other,
                                 std::uint32_t* places);

}  // namespace genera::kernel
