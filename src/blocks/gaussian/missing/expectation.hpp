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

/// The E-step of Gaussian components: expected moments of rows. A missing cell contributes its
/// conditional expectation and covariance given the observed cells; a row of a class with several
/// components contributes to each by its probability. Scratch memory of one thread.
class ComponentExpectation {
 public:
  /// All arguments must outlive it. `natural`: columns in the order of the block.
  ComponentExpectation(ClassComponents components, const detail::GaussianDensity& density,
                       const data::NumberColumns& natural, const data::NumberColumns& ordered);

  /// Rows [begin, end) of `rows`, weights K x n. `conditional`: their observed columns; null: all
  /// columns. Returns the log-likelihood if requested.
  double add(const Rows& rows, Index begin, Index end, const double* weights,
             detail::GaussianConditional* conditional, bool likelihood, ComponentSums& to);
  /// Adds incomplete rows that were collected to be summed together.
  void finish(ComponentSums& to);

 private:
  struct Buffer {  // completed rows of a component, summed together
    Matrix rows;
    Vector weights;
    Matrix spread;  // covariances of missing cells around their expectations
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
  double negligible_ = 0;     // for the current rows
  Matrix shares_;             // C x n, weighted
  std::vector<Index> list_;   // rows of the data
  std::vector<Index> taken_;  // rows with enough weight
  Vector taken_weights_;
  Vector pattern_weights_;       // C: of the current rows
  std::vector<Buffer> buffers_;  // C
  kernel::AlignedVector panels_, scratch_, squares_, scores_, probabilities_;
};

}  // namespace genera::blocks
