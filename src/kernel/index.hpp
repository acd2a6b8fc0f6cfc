#pragma once

#include <cstddef>

#include <genera/types.hpp>

namespace genera::kernel {

/// Converts our signed index to the standard library's.
[[nodiscard]] constexpr std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace genera::kernel
