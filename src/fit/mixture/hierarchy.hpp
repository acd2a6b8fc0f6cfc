#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <genera/types.hpp>

namespace genera::fit_detail {

/// Hierarchical clustering: repeatedly joins the two groups whose union loses the least likelihood
/// of one Gaussian per group (Fraley 1998). The tree contains the groups for every number of
/// components.
class Hierarchy {
 public:
  Hierarchy() = default;
  /// The rows must be on a scale on which directions are comparable. Large tables are sampled.
  Hierarchy(const Matrix& rows, const Vector& weights);

  /// False if there are so many columns that too few rows can be used.
  [[nodiscard]] bool usable() const { return !rows_.empty(); }
  /// The group of each row; -1: not in the sample. There may be fewer groups than requested.
  [[nodiscard]] std::vector<std::int32_t> groups(Index count) const;

 private:
  Index all_ = 0;
  std::vector<Index> rows_;                      // rows of the sample
  std::vector<std::pair<Index, Index>> merged_;  // the second went into the first, in this order
};

/// Standardises the columns and divides each principal axis by the square root of its singular
/// value, so that long axes still count more than short ones, but less than by their length. The
/// scale matters because costs add a determinant to a trace; traces dominate for small groups.
[[nodiscard]] Matrix evened_axes(const Matrix& rows, const Vector& weights);

}  // namespace genera::fit_detail
