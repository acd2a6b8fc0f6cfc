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

/// Probabilities of boxes.
namespace genera {

/// An interval [low, high] of a numeric or count column; either end may be infinite.
struct Between {
  std::string column;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

struct ProbabilityQuestion {
  std::vector<Between> between{};  ///< all must hold
  /// Required categories (column and level), or the class under the name of the target.
  std::vector<Given> equal{};
  std::vector<Given> given{};             ///< known cells, as in SampleOptions
  std::optional<std::string> of_class{};  ///< known class; empty: classes by the prior
  /// Requested absolute error: integration continues until it is reached or 5e7 evaluations are
  /// done, about a second. Empty: at most a millisecond of work, in which not every class and
  /// component is integrated if there are hundreds.
  std::optional<double> precision{};
};

/// A probability and its logarithm, which also distinguishes values below the range of a double.
struct ProbabilityEstimate {
  double value = 0;
  double log_value = 0;
  /// Bound of the absolute error of `value`: 0 for closed forms (one column, columns that are
  /// independent within each class, counts, categories). Two correlated columns are integrated by
  /// quadrature; more by a randomised lattice rule, whose error is five standard errors of 16
  /// random shifts and covers the truth in more than 99 % of boxes. Classes and components that
  /// hardly matter, or for which no work is left, are bounded, not integrated: their bounds are
  /// part of the error.
  double error = 0;
  double relative_error = 0;  ///< error / value, also for values below the range of a double
};

struct Probability {
  ProbabilityEstimate all{};
  struct OfClass {
    double share = 0;                ///< p(class | given)
    ProbabilityEstimate estimate{};  ///< in this class; 0 if the class is impossible
  };
  std::vector<OfClass> classes{};  ///< in the order of the model
  Index evaluations = 0;           ///< work, in evaluations of the normal distribution function
};

/// P(question | given) under the joint distribution of the model: probabilities in each class,
/// weighted by p(class | given). The temperature of the model is ignored. Numerical integration
/// uses `rng`; the number of threads changes no bit. Throws Error (bad_argument) if nothing is
/// asked; if a column or level is unknown (with the nearest name), occurs twice in the question, or
/// is both asked about and given; if an interval is empty or has a NaN end; if the precision is not
/// positive; if a column in `between` is not numeric (in `equal`: not categorical), is text, or is
/// a count that depends on the length of a row; and for given values as Sampler does.
[[nodiscard]] Probability probability(const Model& model, const ProbabilityQuestion& question,
                                      const Rng& rng = Rng(1), const Control& control = {});

/// The answer and the question. `classes`: class names of the model.
[[nodiscard]] Facts facts(const Probability& found, const ProbabilityQuestion& question,
                          const std::vector<std::string>& classes);

}  // namespace genera
