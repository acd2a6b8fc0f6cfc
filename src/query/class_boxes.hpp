#pragma once

#include <cmath>
#include <vector>

#include "blocks/box.hpp"

/// Joint estimation of the probabilities of a box in all classes.
namespace genera::query {

/// The question for one class: a product over the blocks.
struct ClassBox {
  double log_share = 0;                    ///< log p(class | given)
  std::vector<blocks::BoxTerms> blocks{};  ///< empty: the box has probability 0 in this class

  /// P(box | class, given).
  [[nodiscard]] kernel::LogProbability estimate() const;
};

/// P(box | given): the sum over the classes, weighted by their shares.
[[nodiscard]] kernel::LogProbability total_of(const std::vector<ClassBox>& classes);

/// Limits of work, in evaluations of the normal distribution function.
struct BoxEffort {
  /// Refinement ends here if the absolute error of the total is at most `precision`, or none is
  /// asked for.
  Index usual_evaluations = 50'000;
  Index max_evaluations = 50'000'000;  ///< refinement always ends here
  double precision = kernel::infinity;
  int threads = 1;

  /// Whether the total has a precision that was asked for.
  [[nodiscard]] bool reached(const kernel::LogProbability& total) const {
    return precision < kernel::infinity && std::exp(total.log) * total.error() <= precision;
  }
  /// The work at which refinement ends.
  [[nodiscard]] Index limit(bool precise) const {
    return precise || precision == kernel::infinity ? usual_evaluations : max_evaluations;
  }
};

/// Refines the boxes whose errors contribute most to the error of the total. At least one box is
/// integrated; the others as far as the work allows.
void refine(std::vector<ClassBox>& classes, const BoxEffort& effort);

}  // namespace genera::query
