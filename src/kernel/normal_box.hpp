#pragma once

#include <memory>
#include <span>

#include <genera/random.hpp>
#include <genera/types.hpp>

namespace genera::kernel {

struct Interval {
  double low, high;  ///< low <= high; either may be infinite
};

/// A probability on the log scale, so that it cannot underflow, with its relative error; 0 for
/// closed forms.
struct LogProbability {
  double log = 0;
  double relative_error = 0;
  Index evaluations = 0;  ///< of the one-dimensional law, if it is integrated numerically
};

/// P(low <= X <= high) for X ~ N(0, covariance), which is positive definite; at most the smallest
/// of the one-dimensional probabilities. Independent columns use the error function, and two
/// columns use quadrature, to about 1e-12; both are final at once. More columns use Genz's
/// separation of variables (1992) on a randomly shifted lattice, which refine() extends; three
/// columns end with quadrature. The relative error of the lattice is five standard errors. A
/// probability below exp(-1e15), whose logarithm has no digit left for it, is 0.
class NormalBox {
 public:
  NormalBox(std::span<const Interval> box, const Matrix& covariance, const Rng& rng);
  NormalBox(NormalBox&&) noexcept;
  NormalBox& operator=(NormalBox&&) noexcept;
  ~NormalBox();

  /// Relative error 1 before the first refine() if the estimate is not final.
  [[nodiscard]] const LogProbability& estimate() const { return estimate_; }
  /// The evaluations of the next refine(), at most; 0 if the estimate is final.
  [[nodiscard]] Index next_evaluations() const;
  /// Doubles the points. The same bits for any number of threads.
  void refine(int threads);

 private:
  class Lattice;
  void accept(LogProbability found);

  double largest_log_ = 0;  // of the least probable column
  LogProbability estimate_{};
  std::unique_ptr<Lattice> lattice_;  // empty: final
};

}  // namespace genera::kernel
