#pragma once

#include <cstdint>
#include <span>

#include <genera/discrete.hpp>
#include <genera/names.hpp>

namespace genera::detail {

/// Scores of counts are linear in them: base_k + sum_j x_j weight_jk. The K weights of a term lie
/// together.
class TermWeights {
 public:
  explicit TermWeights(const CountParameters& parameters, int threads = 1);

  [[nodiscard]] Index classes() const { return static_cast<Index>(base_.size()); }
  [[nodiscard]] const NameSet& terms() const { return terms_; }
  [[nodiscard]] bool only_presence() const { return presence_; }
  /// Whether the multinomial coefficient belongs to the density.
  [[nodiscard]] bool has_coefficient() const { return coefficient_; }

  [[nodiscard]] const Vector& base() const { return base_; }
  [[nodiscard]] std::span<const double> weights(Index term) const { return weights_.row(term); }

  /// Terms that every row of a class has (probability one): a row without one of them is
  /// impossible. Empty: there are none. Otherwise by class; and whether a term is one of them.
  [[nodiscard]] const std::vector<Index>& certain() const { return certain_; }
  [[nodiscard]] bool is_certain(Index k, Index term) const { return probabilities_(k, term) == 1; }

 private:
  struct Part {  // what some terms add
    explicit Part(std::size_t classes) : base(classes), certain(classes) {}
    Vector base;
    std::vector<Index> certain;
  };
  Part weigh(const CountParameters& parameters, Index begin, Index end);

  NameSet terms_;
  Matrix probabilities_;  // only if something is certain
  bool presence_;
  bool coefficient_;
  Vector base_;     // K
  Matrix weights_;  // V x K
  std::vector<Index> certain_;
};

/// log(n! / prod_j x_j!), one x after the other.
class LogCoefficient {
 public:
  /// `rest`: without the powers, log n^n - log prod_j x_j^x_j, as the scores of long rows have it.
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
