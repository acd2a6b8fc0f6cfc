#pragma once

#include <genera/types.hpp>

#include "kernel/aligned.hpp"

/// Moments of rows that belong to a component with a weight each. Rows come in panels
/// (kernel/panel.hpp: d x 16, lanes are rows) and are taken relative to a centre near their mean.
/// Sums are kept in eight lanes, one of every eighth row, and added up at the end: their bits do
/// not depend on the width of the vectors (among instruction sets with fused multiply-add).
namespace genera::kernel {

/// Some panels, one after the other, and the weights of their rows, side by side; a weight that is
/// not more than `negligible` is none.
struct WeightedPanels {
  const double* panels;
  Index count, columns;
  const double* weights;
  double negligible;
};

/// Columns are centred by high + low, as one number; without a low part `low` is null.
struct Centre {
  const double *high, *low;
};

/// Sums of w, w z and w z z' for each component, z = x - centre.
class ProductSums {
 public:
  ProductSums(Index components, Index columns);
  void add(Index component, const WeightedPanels& rows, const Centre& centre);

  [[nodiscard]] double weight(Index c) const { return sum(c, 0, 0); }
  [[nodiscard]] double first(Index c, Index j) const { return sum(c, j + 1, 0); }
  /// j <= i.
  [[nodiscard]] double second(Index c, Index i, Index j) const { return sum(c, i + 1, j + 1); }

 private:
  [[nodiscard]] double sum(Index c, Index i, Index j) const;

  Index columns_;        // with one of ones before them, and zeros behind them
  Index room_;           // for so many rows
  AlignedVector taken_;  // rows that count, times the root of their weight, column by column
  Index size_;           // of the tiles of a component: its lower triangle
  AlignedVector sums_;
};

/// Sums of w, w z and w z^2 for each component.
class SquareSums {
 public:
  SquareSums(Index components, Index columns);
  void add(Index component, const WeightedPanels& rows, const Centre& centre);

  [[nodiscard]] double weight(Index c) const { return sum(c, columns_); }
  [[nodiscard]] double first(Index c, Index j) const { return sum(c, j); }
  [[nodiscard]] double second(Index c, Index j, Index) const { return sum(c, columns_ + 1 + j); }

 private:
  [[nodiscard]] double sum(Index c, Index place) const;

  Index columns_, size_;
  AlignedVector sums_;
};

}  // namespace genera::kernel
