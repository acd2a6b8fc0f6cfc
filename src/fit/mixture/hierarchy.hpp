#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <genera/types.hpp>

namespace genera::fit_detail {

/// Rows merged into ever fewer groups, each time the two that cost the least likelihood of a
/// Gaussian of its own for each group (Fraley 1998). One tree has the groups of every number of
/// components.
class Hierarchy {
 public:
  Hierarchy() = default;
  /// Rows on a scale on which directions can be compared. Of many rows only some take part.
  Hierarchy(const Matrix& rows, const Vector& weights);

  /// False if there are too many columns for enough rows to take part.
  [[nodiscard]] bool usable() const { return !rows_.empty(); }
  /// The group of each row; -1: it did not take part. There may be fewer groups than asked for.
  [[nodiscard]] std::vector<std::int32_t> groups(Index count) const;

 private:
  Index all_ = 0;
  std::vector<Index> rows_;                      // that take part
  std::vector<std::pair<Index, Index>> merged_;  // the second went into the first, in this order
};

/// Columns with their own deviations as units, then along their principal axes, each divided by the
/// root of its singular value: long axes still count more, but not as much as they are long. The
/// unit matters, since a cost adds a determinant to a trace: traces decide while groups are small.
[[nodiscard]] Matrix evened_axes(const Matrix& rows, const Vector& weights);

}  // namespace genera::fit_detail
