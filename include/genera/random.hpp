#pragma once

#include <cstdint>

namespace genera {

/// A stream of random numbers: a small value that is passed in, never global. The numbers are the
/// same on every machine (the standard library's distributions differ between systems).
class Rng {
 public:
  using result_type = std::uint64_t;

  explicit Rng(std::uint64_t seed = 1) : state_(seed) {}

  /// An independent stream, the i-th of this one: row i can be drawn by any thread.
  [[nodiscard]] Rng split(std::uint64_t i) const;

  [[nodiscard]] double uniform();  ///< in [0, 1)
  [[nodiscard]] double normal();   ///< mean 0, variance 1

  /// SplitMix64 (Steele, Lea and Flood 2014).
  result_type operator()();
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }

 private:
  std::uint64_t state_;
};

}  // namespace genera
