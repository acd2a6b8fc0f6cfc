#pragma once

#include <cstdint>
#include <span>

#include <genera/discrete.hpp>
#include <genera/names.hpp>

namespace genera::detail {

/// Weights of scores that are linear in counts: base_k + sum_j x_j weight_jk. The K weights of a
/// term are adjacent.
class TermWeights {
 public:
  explicit TermWeights(const CountParameters& parameters, int threads = 1);

  [[nodiscard]] Index classes() const { return static_cast<Index>(base_.size()); }
  [[nodiscard]] const NameSet& terms() const { return terms_; }
  [[nodiscard]] bool only_presence() const { return presence_; }
  /// Whether the density has the multinomial coefficient.
  [[nodiscard]] bool has_coefficient() const { return coefficient_; }

  [[nodiscard]] const Vector& base() const { return base_; }
  [[nodiscard]] std::span<const double> weights(Index term) const { return weights_.row(term); }

  /// Terms of probability one, by class: a row without one of them is impossible. Empty: none. The
  /// other function tests whether a term is one of them.
  [[nodiscard]] const std::vector<Index>& certain() const { return certain_; }
  [[nodiscard]] bool is_certain(Index k, Index term) const { return probabilities_(k, term) == 1; }

 private:
  struct Part {  // contribution of some terms
    explicit Part(std::size_t classes) : base(classes), certain(classes) {}
    Vector base;
    std::vector<Index> certain;
  };
  Part weigh(const CountParameters& parameters, Index begin, Index end);

  NameSet terms_;
  Matrix probabilities_;  // empty without certain terms
  bool presence_;
  bool coefficient_;
  Vector base_;     // K
  Matrix weights_;  // V x K
  std::vector<Index> certain_;
};

/// log(n! / prod_j x_j!), updated by one x at a time.
class LogCoefficient {
 public:
  /// `rest`: without the powers, log n^n - log prod_j x_j^x_j, which the scores of long rows
  /// contain.
  explicit LogCoefficient(bool rest = false) : rest_(rest) {}
  void add(double x);
  [[nodiscard]] double value() const;

 private:
  [[nodiscard]] double log_factorial(double x) const;

  bool rest_;
  double total_ = 0;
  double factorials_ = 0;
};

}  // namespace genera::detail
