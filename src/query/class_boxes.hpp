#pragma once

#include <vector>

#include "blocks/box.hpp"

/// Probabilities of boxes in every class, estimated together.
namespace genera::query {

/// What is asked in one class: the product over the blocks.
struct ClassBox {
  double log_share = 0;                    ///< log p(class | what is given)
  std::vector<blocks::BoxTerms> blocks{};  ///< empty: the box is impossible in this class

  /// P(box | class, what is given).
  [[nodiscard]] kernel::LogProbability estimate() const;
};

/// P(box | what is given): the sum over the classes, weighted by their shares.
[[nodiscard]] kernel::LogProbability total_of(const std::vector<ClassBox>& classes);

/// How much work is done, in evaluations of the one-dimensional normal law.
struct BoxEffort {
  /// Refinement ends here unless the absolute error of the total is larger than `precision`.
  Index usual_evaluations = 50'000;
  Index max_evaluations = 50'000'000;  ///< refinement ends here
  double precision = kernel::infinity;
  int threads = 1;
};

/// Refines the boxes whose errors matter most for the total. Every box is evaluated at least at the
/// first points of its lattice.
void refine(std::vector<ClassBox>& classes, const BoxEffort& effort);

}  // namespace genera::query
