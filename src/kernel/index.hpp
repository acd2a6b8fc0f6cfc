#pragma once

#include <cstddef>

#include <genera/types.hpp>

namespace genera::kernel {

/// An index of ours as one of the standard library's.
[[nodiscard]] constexpr std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace genera::kernel
