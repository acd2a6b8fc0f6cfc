#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <genera/random.hpp>
#include <genera/types.hpp>

#include "kernel/aligned.hpp"

namespace genera::fit_detail {

/// Rows with weights, to be put into groups of near ones.
class KMeans {
 public:
  KMeans() = default;
  KMeans(Matrix rows, Vector weights);

  [[nodiscard]] bool empty() const { return rows_.empty(); }
  /// The group of each row: k-means++ (Arthur and Vassilvitskii 2007), then Lloyd's iteration.
  /// Groups may be empty if rows are equal.
  [[nodiscard]] std::vector<std::int32_t> groups(Index count, Rng rng, int threads) const;

 private:
  friend class KMeansPart;

  Matrix rows_;
  Vector weights_;
  kernel::AlignedVector panels_;  // the same rows, sixteen side by side
};

/// Sums of the rows that are nearest to each centre. Additive.
struct CentreSums {
  CentreSums(Index centres, Index columns);
  void add(const CentreSums& other);

  Matrix sums;  ///< of weight x row
  Vector weights;
  std::vector<Index> rows;  ///< those that have a weight
  Index moved = 0;          ///< rows whose centre changed in the last assignment
};

/// One run of k-means over one partition of the rows, which must outlive it: centres come in, sums
/// go out.
class KMeansPart {
 public:
  explicit KMeansPart(const KMeans& rows);

  [[nodiscard]] Index rows() const { return std::ssize(groups_); }
  [[nodiscard]] Index columns() const { return all_->rows_.columns(); }
  [[nodiscard]] const std::vector<std::int32_t>& groups() const { return groups_; }

  /// What rows are drawn by: weight x squared distance to the nearest centre seen, at first weight.
  [[nodiscard]] double mass() const;
  /// The row at this place of the mass.
  [[nodiscard]] std::span<const double> row_at(double mass) const;
  void see_centre(std::span<const double> centre, int threads);
  /// Draws by weight alone again.
  void forget_distances();

  /// Gives each row to the nearest centre; the sums of all.
  [[nodiscard]] const CentreSums& assign(const Matrix& centres, int threads);

 private:
  [[nodiscard]] CentreSums changes(const Matrix& centres, Index first, Index last);

  const KMeans* all_;
  kernel::AlignedVector nearest_;  // squared distance
  Vector mass_;
  std::vector<std::int32_t> groups_;
  CentreSums total_{0, 0};
};

/// Over all partitions, in their order. The groups are in the parts.
void k_means(std::span<KMeansPart> parts, Index count, Rng rng, int threads);

}  // namespace genera::fit_detail
