#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <genera/random.hpp>
#include <genera/types.hpp>

#include "kernel/aligned.hpp"

namespace genera::fit_detail {

/// Clusters weighted rows.
class KMeans {
 public:
  KMeans() = default;
  KMeans(Matrix rows, Vector weights);

  [[nodiscard]] bool empty() const { return rows_.empty(); }
  /// The group of each row: k-means++ (Arthur and Vassilvitskii 2007), then Lloyd's algorithm.
  /// Groups may be empty if rows are equal.
  [[nodiscard]] std::vector<std::int32_t> groups(Index count, Rng rng, int threads) const;

 private:
  friend class KMeansPart;

  Matrix rows_;
  Vector weights_;
  kernel::AlignedVector panels_;  // the same rows, sixteen side by side
};

/// Sums over the rows that are nearest to each centre. Additive.
struct CentreSums {
  CentreSums(Index centres, Index columns);
  void add(const CentreSums& other);

  Matrix sums;  ///< of weight x row
  Vector weights;
  std::vector<Index> rows;  ///< rows with a weight above 0
  Index moved = 0;          ///< rows whose centre changed in the last assignment
};

/// One run of k-means over one partition of the rows, which must outlive it: receives centres and
/// returns sums.
class KMeansPart {
 public:
  explicit KMeansPart(const KMeans& rows);

  [[nodiscard]] Index rows() const { return std::ssize(groups_); }
  [[nodiscard]] Index columns() const { return all_->rows_.columns(); }
  [[nodiscard]] const std::vector<std::int32_t>& groups() const { return groups_; }

  /// Weights for drawing rows: weight x squared distance to the nearest centre; initially weight.
  [[nodiscard]] double mass() const;
  /// The row at this position of the cumulative mass.
  [[nodiscard]] std::span<const double> row_at(double mass) const;
  void see_centre(std::span<const double> centre, int threads);
  /// Returns to drawing by weight alone.
  void forget_distances();

  /// Assigns each row to the nearest centre; returns the sums of all groups.
  [[nodiscard]] const CentreSums& assign(const Matrix& centres, int threads);

 private:
  [[nodiscard]] CentreSums changes(const Matrix& centres, Index first, Index last);

  const KMeans* all_;
  kernel::AlignedVector nearest_;  // squared distance
  Vector mass_;
  std::vector<std::int32_t> groups_;
  CentreSums total_{0, 0};
};

/// Runs over all partitions in order. The groups are in the parts.
void k_means(std::span<KMeansPart> parts, Index count, Rng rng, int threads);

}  // namespace genera::fit_detail
