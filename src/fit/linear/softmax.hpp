#pragma once

#include <optional>
#include <vector>

#include "fit/linear/design.hpp"
#include "kernel/cholesky.hpp"

namespace genera::fit_detail {

/// What softmax regression minimises: sum of w (-log p(y | x)) + ridge / 2 ||coefficients||^2.
/// Coefficients are features x K numbers, those of a feature together; the constant comes first and
/// is not penalised. Sums over rows have the same bits for any number of threads.
class SoftmaxLoss {
 public:
  /// The design must outlive it.
  SoftmaxLoss(const Design& design, double ridge, int threads);

  [[nodiscard]] Index size() const { return design_.features() * design_.classes; }
  [[nodiscard]] const Design& design() const { return design_; }

  /// The value at `x`, and its gradient; what follows is about this point.
  double evaluate(const Vector& x, Vector& gradient);

  /// Second derivatives times `along`.
  void curvature(const Vector& along, Vector& out) const;
  /// The largest change of a difference of two scores of a row along a direction.
  [[nodiscard]] double largest_change(const Vector& along) const;

  /// The matrix of second derivatives of at most so many rows, weighted as if they were all; it is
  /// made definite along what changes no probability.
  [[nodiscard]] Matrix curvature_of_some(Index most_rows) const;
  /// The diagonal of that of all rows.
  [[nodiscard]] Vector curvature_diagonal() const;

  /// Sum of w x x' over the dense columns behind the constant.
  [[nodiscard]] Matrix dense_scatter() const;

 private:
  template <class OfPanel>
  double pass(const Vector& x, Vector& sums, const OfPanel& of_panel) const;
  [[nodiscard]] Matrix dense_part(const Vector& x) const;
  void add_entries(const Vector& x, Index panel, double* scores) const;
  void add_columns(const std::vector<double>& residuals, Vector& sums) const;
  [[nodiscard]] Index tasks() const;
  [[nodiscard]] double* probabilities(Index panel) const;

  const Design& design_;
  double ridge_;
  int threads_;
  Index class_rows_;                             // K, in whole tiles
  mutable kernel::AlignedVector probabilities_;  // per panel: K x 16
  mutable std::vector<double> residuals_;        // rows x K, for the sparse columns
};

}  // namespace genera::fit_detail
