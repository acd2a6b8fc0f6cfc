#pragma once

#include <span>

#include <genera/random.hpp>
#include <genera/types.hpp>

namespace genera::kernel {

struct Interval {
  double low, high;  ///< low <= high; either may be infinite
};

/// A probability that may be too small for a double, and how far it may be off, as a share of it: 0
/// where a formula gives it.
struct LogProbability {
  double log = 0;
  double relative_error = 0;
  Index evaluations = 0;  ///< of the one-dimensional law, if it is integrated numerically
};

/// P(low <= X <= high) for X ~ N(0, covariance), which is positive definite; at most the smallest
/// of the one-dimensional probabilities. One dimension by the error function; two and three by
/// quadrature, to about 1e-12; more by Genz's separation of variables (1992) on randomly shifted
/// lattices, until three standard errors are 1e-4 of it or 5e6 coordinates are drawn (5e4 if the
/// probability is too small for a double). A probability below exp(-1e15), whose logarithm has no
/// digit left for it, is 0. The same bits for any number of threads.
[[nodiscard]] LogProbability normal_box(std::span<const Interval> box, const Matrix& covariance,
                                        const Rng& rng, int threads);

}  // namespace genera::kernel
