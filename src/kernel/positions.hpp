#pragma once

#include <cstdint>

#include <genera/types.hpp>

namespace genera::kernel {

/// Number of elements after the last position that `positions_of` may overwrite.
inline constexpr Index positions_slack = 8;

/// Positions of two characters among `size` bytes, ascending; returns their number. `places` must
/// have room for `size` positions and the slack.
[[nodiscard]] Index positions_of(const char* bytes, Index size, char one, char other,
                                 std::uint32_t* places);

}  // namespace genera::kernel
