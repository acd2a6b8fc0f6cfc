#pragma once

#include <memory>
#include <vector>

#include "blocks/gaussian/missing/completion.hpp"
#include "blocks/gaussian/missing/conditional.hpp"
#include "blocks/gaussian/density/density.hpp"
#include "blocks/gaussian/estimate/sums.hpp"
#include "data/columns.hpp"
#include "sums/row_moments.hpp"

namespace genera::blocks {

/// The E-step of Gaussian components: moments of rows, where a missing cell counts with its
/// expectation given the cells that are there and what it varies around that, and a row of a class
/// with several components with the probability of each. The scratch of one thread.
class ComponentExpectation {
 public:
  /// What it refers to must outlive it. `natural`: columns in the order of the block.
  ComponentExpectation(ClassComponents components, const detail::GaussianDensity& density,
                       const data::NumberColumns& natural, const data::NumberColumns& ordered);

  /// Rows [begin, end) of `rows`, weights K x n. `conditional`: what is observed of all of them;
  /// null: everything. Returns the log-likelihood, if it is wanted.
  double add(const Rows& rows, Index begin, Index end, const double* weights,
             detail::GaussianConditional* conditional, bool likelihood, ComponentSums& to);
  /// Rows that lack something are kept back until there are enough to be summed up together.
  void finish(ComponentSums& to);

 private:
  struct Buffer {  // completed rows of a component, to be summed up together
    Matrix rows;
    Vector weights;
    Matrix spread;  // what missing cells vary around their expectations
  };

  double add_complete(const Rows& rows, Index begin, Index end, const double* weights,
                      bool likelihood, ComponentSums& to);
  double share_out(const Rows& rows, Index begin, Index end, const double* weights);
  double add_incomplete(const Rows& rows, Index begin, Index end, const double* weights,
                        detail::GaussianConditional& conditional, ComponentSums& to);
  double add_panel(Index lanes, const double* weights, Index stride,
                   detail::GaussianConditional& conditional, ComponentSums& to);
  void keep(Index c, Index lanes, const double* weights, ComponentSums& to);
  void flush(Index c, ComponentSums& to);

  [[nodiscard]] bool single() const {
    return components_.classes() == static_cast<Index>(components_.weights.size());
  }

  ClassComponents components_;
  const detail::GaussianDensity& density_;
  const data::NumberColumns& natural_;
  const data::NumberColumns& ordered_;
  Vector log_weights_;
  double negligible_ = 0;     // of the rows at hand
  Matrix shares_;             // C x n, weighted
  std::vector<Index> list_;   // rows of the data
  std::vector<Index> taken_;  // those that count
  Vector taken_weights_;
  Vector pattern_weights_;       // C: of the rows at hand
  std::vector<Buffer> buffers_;  // C
  kernel::AlignedVector panels_, scratch_, squares_, scores_, probabilities_;
};

}  // namespace genera::blocks
