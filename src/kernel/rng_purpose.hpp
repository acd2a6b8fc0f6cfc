#pragma once

#include <cstdint>

#include <genera/random.hpp>

namespace genera::kernel {

/// Purposes of random numbers, for streams that differ from those of `sample` with the same seed.
/// The rows of `sample` are Rng(seed).split(row), so purposes are numbered from the other end.
enum class RngPurpose : std::uint64_t { tails, lengths, splits, resamples, asymptotes };

[[nodiscard]] inline Rng stream_for(RngPurpose purpose, std::uint64_t seed) {
  return Rng(seed).split(~static_cast<std::uint64_t>(purpose));
}

}  // namespace genera::kernel
