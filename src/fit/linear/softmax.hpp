#pragma once

#include <vector>

#include "fit/linear/design.hpp"

namespace genera::fit_detail {

/// Sizes and weights of the rows of a loss.
struct SoftmaxShape {
  Index rows = 0, classes = 0;
  Index numbers = 0;  ///< see number_columns
  Index columns = 1;
  Vector class_weights{};
  double min_weight = 0;  ///< smallest weight of a row

  [[nodiscard]] Index coefficients() const { return columns * classes; }
  [[nodiscard]] double weight() const;
};

/// A Hessian over some rows.
struct SampledHessian {
  Matrix sums;        ///< its lower triangle
  double weight = 0;  ///< of these rows
};

/// The loss of softmax regression without its penalty, sum of w (-log p(y | x)), and its
/// derivatives, as sums over rows. Coefficients are columns x K numbers; those of a column are
/// adjacent, and the constant is the first column.
class SoftmaxLoss {
 public:
  virtual ~SoftmaxLoss() = default;
  [[nodiscard]] const SoftmaxShape& shape() const { return shape_; }
  [[nodiscard]] Index size() const { return shape_.coefficients(); }

  /// Returns the value at `x`. The Hessians below refer to the `x` of the last call.
  virtual double evaluate(const Vector& x, Vector& gradient) = 0;
  virtual void hessian_product(const Vector& along, Vector& out) const = 0;
  /// Over every `step`-th row.
  [[nodiscard]] virtual SampledHessian hessian(Index step) const = 0;
  [[nodiscard]] virtual Vector hessian_diagonal() const = 0;
  /// The largest change of a difference between two scores of a row, for a step `along`.
  [[nodiscard]] virtual double largest_change(const Vector& along) const = 0;
  /// Sum of w (x - mean)(x - mean)' over the number columns.
  [[nodiscard]] virtual Matrix number_scatter() const = 0;

 protected:
  explicit SoftmaxLoss(SoftmaxShape shape) : shape_(std::move(shape)) {}
  SoftmaxLoss(const SoftmaxLoss&) = default;
  SoftmaxLoss& operator=(const SoftmaxLoss&) = delete;

 private:
  SoftmaxShape shape_;
};

/// The loss of a design in memory. Same bits for any number of threads.
class InMemoryLoss final : public SoftmaxLoss {
 public:
  /// The design must outlive it.
  InMemoryLoss(const Design& design, int threads);

  double evaluate(const Vector& x, Vector& gradient) override;
  void hessian_product(const Vector& along, Vector& out) const override;
  [[nodiscard]] SampledHessian hessian(Index step) const override { return hessian(0, step); }
  /// Over the rows first, first + step, ...
  [[nodiscard]] SampledHessian hessian(Index first, Index step) const;
  [[nodiscard]] Vector hessian_diagonal() const override;
  [[nodiscard]] double largest_change(const Vector& along) const override;
  /// About 0, the mean of a design that is centred by its own means.
  [[nodiscard]] Matrix number_scatter() const override;

 private:
  template <class OfPanel>
  double pass(const Vector& x, Vector& sums, const OfPanel& of_panel) const;
  template <class OfPanel>
  struct TaskPass;
  [[nodiscard]] Matrix dense_part(const Vector& x) const;
  void add_entries(const Vector& x, Index panel, double* scores) const;
  void keep_residuals(Index panel, const double* residuals) const;
  void add_columns(const std::vector<double>& residuals, Vector& sums) const;
  [[nodiscard]] Matrix scatter_of_entries() const;
  void add_sparse_diagonal(const std::vector<double>& spread, Vector& diagonal) const;
  /// Constants, so that sums do not depend on the number of threads.
  static constexpr Index panels_of_task = 64;
  static constexpr Index columns_of_task = 512;
  [[nodiscard]] Index tasks() const;
  [[nodiscard]] double* probabilities(Index panel) const;

  const Design& design_;
  int threads_;
  Index class_rows_;                             // K, padded to whole tiles
  mutable kernel::AlignedVector probabilities_;  // per panel: K x 16
  mutable std::vector<double> residuals_;        // rows x K, for the sparse columns
};

}  // namespace genera::fit_detail
