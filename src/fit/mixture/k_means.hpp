#pragma once

#include <cstdint>
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
  struct Change;
  [[nodiscard]] Matrix seeds(Index count, Rng& rng, int threads) const;
  [[nodiscard]] Change assign(const Matrix& centres, Index first, Index last,
                              std::vector<std::int32_t>& groups) const;

  Matrix rows_;
  Vector weights_;
  kernel::AlignedVector panels_;  // the same rows, sixteen side by side
};

}  // namespace genera::fit_detail
