#pragma once

#include "blocks/box.hpp"
#include "blocks/gaussian/missing/completion.hpp"

namespace genera::blocks {

/// P(box | known columns) in class k.
[[nodiscard]] BoxTerms component_box(const ClassComponents& components, Index k,
                                     const BoxQuestion& question);

/// The columns asked about, given the known ones, in component c of full covariances.
struct ConditionalBox {
  std::vector<kernel::Interval> intervals;  ///< relative to the conditional mean
  kernel::Covariance covariance;            ///< may refer to the parameters
  double square = 0;                        ///< squared distance of the known columns
  Index known = 0;                          ///< their number
};
[[nodiscard]] ConditionalBox conditional_box(const GaussianParameters& parameters,
                                             const BoxQuestion& question, Index c);

}  // namespace genera::blocks
