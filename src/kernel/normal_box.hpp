#pragma once

#include <functional>
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

/// Of what lies between `least` and exp(log_most): their middle and half their distance.
[[nodiscard]] LogProbability middle_of(double log_most, double least);

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

struct BoxAndCovariance {
  std::vector<Interval> box;
  Covariance covariance;
};

/// A box that is made when it is integrated.
struct LaterBox {
  Index columns = 1;
  LogProbability bound{};  ///< what is known of it: at most `relative_bound` from the truth
  Index work = 0;          ///< of `make`, in evaluations
  std::function<BoxAndCovariance()> make{};
};

/// P(low <= X <= high) for X ~ N(0, covariance), which is positive definite; at most the smallest
/// of the one-dimensional probabilities. One column uses the error function and is final at once.
/// The other boxes are bounded by the probabilities of their columns until the first refine():
/// independent columns then multiply, and two columns use quadrature, to about 1e-12; both are
/// final. More columns use Genz's separation of variables (1992) on a randomly shifted lattice,
/// which refine() extends; three columns end with quadrature. The relative error of the lattice is
/// five standard errors. Of more than max_columns, the least probable ones are integrated, and what
/// the others miss is in the bound. A probability below exp(-1e15), whose logarithm has no digit
/// left for it, is 0.
class NormalBox {
 public:
  static constexpr Index max_columns = 300;

  NormalBox(std::vector<Interval> box, Covariance covariance, const Rng& rng);
  NormalBox(LaterBox later, const Rng& rng);
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
  struct Later;
  void begin();
  void make();
  void bound();
  void start();
  void accept(LogProbability found);

  double largest_log_ = 0;  // of the least probable column
  double missed_ = 0;       // at most, by the columns that are not integrated
  Index made_ = 0;          // work of making it
  LogProbability estimate_{};
  std::unique_ptr<Later> later_;        // until the first refine()
  std::unique_ptr<Question> question_;  // until the first refine()
  std::unique_ptr<Lattice> lattice_;    // from then on; empty: final
};

}  // namespace genera::kernel
