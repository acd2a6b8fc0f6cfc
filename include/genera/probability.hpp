#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <genera/control.hpp>
#include <genera/facts.hpp>
#include <genera/model.hpp>
#include <genera/random.hpp>
#include <genera/sample.hpp>

/// How probable it is that a row lies in a box.
namespace genera {

/// What is asked of a column: a number or a count lies in [low, high], either end of which may be
/// infinite.
struct Between {
  std::string column;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

struct ProbabilityQuestion {
  std::vector<Between> between{};  ///< all of them hold
  /// Categories that the row has (column and level), or its class under the name of the target.
  std::vector<Given> equal{};
  std::vector<Given> given{};             ///< cells that are known, as in SampleOptions
  std::optional<std::string> of_class{};  ///< a class that is known; empty: classes by the prior
  /// The wanted absolute error: integration goes on until it is reached or 5e7 evaluations are
  /// done, about a second. Empty: about a millisecond of work, more for mixtures of hundreds of
  /// components.
  std::optional<double> precision{};
};

/// A probability and its logarithm, which tells even those apart that are too small for a double.
struct ProbabilityEstimate {
  double value = 0;
  double log_value = 0;
  /// By how much `value` may be off: 0 where formulas give it (one column, columns that are
  /// independent within each class, counts, categories). Two correlated columns are integrated by
  /// quadrature; more by a randomised lattice rule, whose error is five standard errors of 16
  /// random shifts and covers the truth in more than 99 % of boxes. Classes and components that
  /// hardly matter are bounded, not integrated: their bounds are part of the error.
  double error = 0;
  double relative_error = 0;  ///< error / value, also where both are too small for a double
};

struct Probability {
  ProbabilityEstimate all{};
  struct OfClass {
    double share = 0;                ///< p(class | what is given)
    ProbabilityEstimate estimate{};  ///< in this class; 0 if the class is impossible
  };
  std::vector<OfClass> classes{};  ///< in the order of the model
  Index evaluations = 0;           ///< work, in evaluations of the normal distribution function
};

/// P(what is asked | what is given) under the joint distribution of the model: the probabilities
/// in each class, weighted by p(class | given). The temperature of the model plays no part. Random
/// numbers, where they are needed, are those of `rng`; threads change no bit.
/// Throws Error (bad_argument) if nothing is asked; if a column or level is unknown (with the
/// nearest), is asked about twice, or is both asked about and given; if an interval is empty or has
/// an end that is NaN; if the precision is not positive; if a column is not of numbers (of
/// categories, in `equal`), is text, or is a count that depends on the length of a row; and as
/// Sampler does for what is given.
[[nodiscard]] Probability probability(const Model& model, const ProbabilityQuestion& question,
                                      const Rng& rng = Rng(1), const Control& control = {});

/// The answer and the question. `classes`: those of the model.
[[nodiscard]] Facts facts(const Probability& found, const ProbabilityQuestion& question,
                          const std::vector<std::string>& classes);

}  // namespace genera
