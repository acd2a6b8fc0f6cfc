#pragma once

#include <memory>
#include <vector>

#include <genera/random.hpp>
#include <genera/types.hpp>

namespace genera::kernel {

struct Interval {
  double low, high;  ///< low <= high; either may be infinite
};

/// A probability on the log scale, so that it cannot underflow, with relative errors; 0 for closed
/// forms.
struct LogProbability {
  double log = 0;
  double relative_error = 0;  ///< of numerical integration; errors of several are independent
  double relative_bound = 0;  ///< of what was bounded rather than integrated; several add up
  Index evaluations = 0;      ///< work, in evaluations of the one-dimensional law

  [[nodiscard]] double error() const { return relative_error + relative_bound; }
};

/// Some rows and columns of a covariance matrix.
class Covariance {
 public:
  Covariance(Matrix whole);  // NOLINT(google-explicit-constructor): all of them
  /// `whole` must outlive it.
  Covariance(const Matrix& whole, std::vector<Index> columns)
      : whole_(std::shared_ptr<const Matrix>(), &whole), columns_(std::move(columns)) {}

  [[nodiscard]] double operator()(std::size_t i, std::size_t j) const {
    return (*whole_)(columns_[i], columns_[j]);
  }

 private:
  std::shared_ptr<const Matrix> whole_;
  std::vector<Index> columns_;
};

/// P(low <= X <= high) for X ~ N(0, covariance), which is positive definite; at most the smallest
/// of the one-dimensional probabilities. One column uses the error function and is final at once.
/// The other boxes are bounded by the probabilities of their columns until the first refine():
/// independent columns then multiply, and two columns use quadrature, to about 1e-12; both are
/// final. More columns use Genz's separation of variables (1992) on a randomly shifted lattice,
/// which refine() extends; three columns end with quadrature. The relative error of the lattice is
/// five standard errors. A probability below exp(-1e15), whose logarithm has no digit left for it,
/// is 0.
class NormalBox {
 public:
  NormalBox(std::vector<Interval> box, Covariance covariance, const Rng& rng);
  NormalBox(NormalBox&&) noexcept;
  NormalBox& operator=(NormalBox&&) noexcept;
  ~NormalBox();

  [[nodiscard]] const LogProbability& estimate() const { return estimate_; }
  /// The work of the next refine(), at most; 0 if the estimate is final.
  [[nodiscard]] Index next_evaluations() const;
  /// Integrates, or doubles the points. The same bits for any number of threads.
  void refine(int threads);

 private:
  struct Question;
  class Lattice;
  void bound();
  void start();
  void accept(LogProbability found);

  double largest_log_ = 0;  // of the least probable column
  LogProbability estimate_{};
  std::unique_ptr<Question> question_;  // until the first refine()
  std::unique_ptr<Lattice> lattice_;    // from then on; empty: final
};

}  // namespace genera::kernel
