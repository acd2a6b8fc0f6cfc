#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "figure/axes.hpp"

namespace genera::figure {

/// Selection of features by Pillai's trace of (W + B)^-1 B, the sum of the squared canonical
/// correlations.
class Separation {
 public:
  /// Moments of some columns.
  using Moments = std::function<ClassMoments(const std::vector<Index>&)>;

  Separation(Index columns, Moments moments) : columns_(columns), moments_(std::move(moments)) {}

  /// `count` columns that include `given` first.
  [[nodiscard]] std::vector<Index> choose(Index count, std::vector<Index> given) const;
  /// Separation by these columns, from 0 to their number.
  [[nodiscard]] double of(const std::vector<Index>& columns) const;

 private:
  [[nodiscard]] std::vector<Index> candidates() const;
  [[nodiscard]] std::pair<Index, Index> best_pair() const;
  [[nodiscard]] Index best_with(std::vector<Index> chosen) const;

  Index columns_;
  Moments moments_;
};

}  // namespace genera::figure
