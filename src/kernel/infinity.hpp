#pragma once

#include <limits>

namespace genera::kernel {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace genera::kernel
