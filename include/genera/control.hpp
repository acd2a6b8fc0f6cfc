#pragma once

#include <functional>
#include <optional>

#include <genera/types.hpp>

namespace genera {

/// State of an EM after an iteration.
struct EmStep {
  int iteration = 0;
  double log_likelihood = 0;  ///< of the observed values under the model before the iteration
  /// Largest change of a parameter, in standard deviations or probabilities; infinity while the
  /// likelihood still grows too fast for it to be computed.
  double change = 0;
  double certainty = 1;  ///< mean posterior of the most probable class over rows without a label
  /// estimated number of iterations left, once the rate of convergence is known
  std::optional<double> iterations_left{};
};

/// Progress of a long call.
struct Progress {
  enum class Task {
    reading,    ///< rows of a source or a table
    answering,  ///< rows to be scored
    drawing,    ///< rows to be drawn or imputed
    iterating,  ///< iterations of EM or Newton's method
    searching,  ///< candidates of a search
    fitting,    ///< fits of folds or of learning curves
  };
  Task task = Task::reading;
  Index done = 0;                ///< rows, iterations, candidates or fits
  std::optional<Index> total{};  ///< if known
  std::optional<EmStep> step{};  ///< during EM
  /// Fraction of the work in [0, 1], if known. For a source it is the fraction read; for candidates
  /// and fits it is an estimate by expected cost and also grows within one of them.
  std::optional<double> share{};
};

/// Execution settings. They never change a result.
struct Control {
  int threads = 1;
  /// Called between (and occasionally within) chunks of rows, iterations, candidates and fits, in
  /// order and one call at a time, possibly on another thread. If it returns false, the call throws
  /// Error (stopped) and leaves its arguments unchanged.
  std::function<bool(const Progress&)> progress{};
};

}  // namespace genera
