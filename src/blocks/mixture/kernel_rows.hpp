#pragma once

#include <span>
#include <vector>

#include <genera/blocks.hpp>

#include "blocks/panels.hpp"
#include "kernel/aligned.hpp"
#include "kernel/kernel_sums.hpp"
#include "kernel/panel.hpp"

namespace genera::blocks {

/// The rows of kernel densities over some columns, whitened: A (x - centre) with A' A the inverse
/// of the shared covariance over these columns, so that D^2 is a Euclidean distance.
class WhitenedRows {
 public:
  /// `columns`: ascending.
  WhitenedRows(const GaussianParameters& kernels, std::vector<Index> columns);

  [[nodiscard]] Index dimension() const { return std::ssize(columns_); }
  [[nodiscard]] const std::vector<Index>& columns() const { return columns_; }
  [[nodiscard]] const Matrix& points() const { return points_; }
  /// -(d log 2 pi + log |S|) / 2
  [[nodiscard]] double log_constant() const { return log_constant_; }
  /// Size of a whitened panel, with room for whole tiles.
  [[nodiscard]] std::size_t panel_size() const;
  /// Whitens a panel with all columns of the block; `taken` has room for d x 16.
  void whiten(const double* panel, Index lanes, double* taken, double* out) const;

 private:
  std::vector<Index> columns_;
  Vector centre_, zeros_;
  kernel::PackedMatrix whitening_;
  Matrix points_;  // n x d
  double log_constant_;
};

/// Log densities of kernel densities in each class: scratch memory of one thread.
class KernelScores {
 public:
  /// All arguments must outlive it; `whole`: over all columns.
  KernelScores(const MixtureBlock& block, const WhitenedRows& whole);

  void observe(std::span<const Index> columns);
  void observe_all() { rows_ = &whole_; }

  /// Writes the log densities without the constant and the smallest squared distances, K x 16 each.
  void score(const double* panel, Index lanes, double* log_sums, double* nearest);
  /// The same less a term that all classes share, without distances: for Mode::relative.
  void score_relative(const double* panel, Index lanes, double* log_sums);
  [[nodiscard]] double log_constant() const { return rows_->log_constant(); }

 private:
  [[nodiscard]] kernel::KernelPoints kernels_of(Index k) const;

  const MixtureBlock& block_;
  const WhitenedRows& whole_;
  const WhitenedRows* rows_;
  std::vector<WhitenedRows> some_;  // of the last observed columns
  Vector log_weights_;
  kernel::AlignedVector taken_, whitened_;
};

}  // namespace genera::blocks
