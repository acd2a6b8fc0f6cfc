#pragma once

#include <cstdint>

namespace genera {

/// A stream of random numbers: a small value that is passed as an argument. Its numbers are the
/// same on every machine, unlike those of the standard library's distributions.
class Rng {
 public:
  using result_type = std::uint64_t;

  explicit Rng(std::uint64_t seed = 1) : state_(seed) {}

  /// The i-th of the independent streams derived from this one, so that any thread can draw row i.
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
