#pragma once

#include <genera/types.hpp>

#include "kernel/aligned.hpp"

/// Weighted moments of rows for several components. Rows come in panels (kernel/panel.hpp: d x 16,
/// lanes are rows) and are centred near their mean. Sums are kept in eight lanes, each for every
/// eighth row, and added at the end, so their bits do not depend on the vector width (among
/// instruction sets with fused multiply-add).
namespace genera::kernel {

/// Consecutive panels with the weights of their rows; weights up to `negligible` count as zero.
struct WeightedPanels {
  const double* panels;
  Index count, columns;
  const double* weights;
  double negligible;
};

/// Centre of the columns as high + low parts; `low` is null without a low part.
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

  Index columns_;        // with a leading column of ones, padded with zeros
  Index room_;           // in rows
  AlignedVector taken_;  // centred rows with a weight, times the square root of it, by column
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
