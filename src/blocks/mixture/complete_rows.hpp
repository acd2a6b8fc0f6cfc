#pragma once

#include <vector>

#include "blocks/gaussian/missing/completion.hpp"
#include "blocks/gaussian/density/density.hpp"
#include "blocks/gaussian/estimate/sums.hpp"
#include "data/columns.hpp"
#include "kernel/shared_rows.hpp"

namespace genera::blocks {

/// The E-step for complete rows: the responsibilities of the components of a class, and the moments
/// of the components with these weights, some panels at a time so that they stay in cache. Scratch
/// memory of one thread.
class CompleteRows {
 public:
  /// All arguments must outlive it. `ordered`: columns in the order of the density, `natural`: in
  /// that of the block.
  CompleteRows(ClassComponents components, const detail::GaussianDensity& density,
               const data::NumberColumns& ordered, const data::NumberColumns& natural);

  /// Rows [begin, end) of `rows`, weights K x n. Returns the log-likelihood.
  double add(const Rows& rows, Index begin, Index end, const double* weights, ComponentSums& to);

 private:
  struct Part;
  [[nodiscard]] kernel::Centre centre_of(Index c) const {
    const bool low = !components_.parameters->means_low.empty();
    return {means_.row(c).data(), low ? means_low_.row(c).data() : nullptr};
  }
  template <class Use>
  double each_group(const Part& part, Use use);
  double share_out(const Part& part, Index first, const double* squares);
  template <class Sums>
  void set_mean(const Sums& sums, Index c, Moments& to) const;
  template <class Sums>
  void add_moments(const Part& part, const Sums& sums, Index c, ComponentSums& to);
  double add_pooled(const Part& part, ComponentSums& to);
  [[nodiscard]] Moments exact(const Part& part, Index c, Scatter kind) const;

  ClassComponents components_;
  const detail::GaussianDensity& density_;
  const data::NumberColumns& ordered_;
  const data::NumberColumns& natural_;
  Vector offsets_;            // C: log weight + log constant
  Matrix means_, means_low_;  // C x d, in the order of the density
  Vector centre_;             // d: grand mean
  Matrix shares_;             // C x rows
  kernel::AlignedVector panels_, scratch_, squares_, scores_, probabilities_;
};

}  // namespace genera::blocks
