#pragma once

#include <cstdint>

namespace genera::testing {

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
inline constexpr bool sanitized =
    __has_feature(thread_sanitizer) || __has_feature(address_sanitizer);
#else
inline constexpr bool sanitized = false;
#endif

/// Simulations are about numbers and run on one thread: for a sanitizer, under which they take ten
/// to thirty times as long, a tenth of them is enough.
constexpr std::uint64_t simulations(std::uint64_t all) { return sanitized ? (all + 9) / 10 : all; }

}  // namespace genera::testing
