#pragma once

#include <cstdint>

#include <genera/random.hpp>

namespace genera::kernel {

/// What random numbers are for, where somebody may draw rows with the same seed: the rows of
/// `sample` are Rng(seed).split(row), so purposes are numbered from the other end.
enum class RngPurpose : std::uint64_t { tails, lengths, splits, resamples, asymptotes };

[[nodiscard]] inline Rng stream_for(RngPurpose purpose, std::uint64_t seed) {
  return Rng(seed).split(~static_cast<std::uint64_t>(purpose));
}

}  // namespace genera::kernel
