#pragma once

#include <functional>
#include <optional>

#include <genera/types.hpp>

namespace genera {

/// Where an EM stands after an iteration.
struct EmStep {
  int iteration = 0;
  double log_likelihood = 0;  ///< of what is observed, under the model before the iteration
  /// Of the parameters, in standard deviations and probabilities; infinity while steps gain so much
  /// that it is not asked for.
  double change = 0;
  double certainty = 1;  ///< mean posterior of the likeliest class of the rows without a label
  std::optional<double> iterations_left{};  ///< about so many, once a pace is seen
};

/// How far a long call is.
struct Progress {
  enum class Task {
    reading,    ///< rows of a source or a table, one after the other
    answering,  ///< rows that a model is asked about
    drawing,    ///< rows that are drawn or filled in
    iterating,  ///< iterations of EM or of Newton's method
    searching,  ///< candidates of a search
    fitting,    ///< fits to some rows that others judge: of folds, of learning curves
  };
  Task task = Task::reading;
  Index done = 0;                ///< rows, iterations, candidates or fits
  std::optional<Index> total{};  ///< if it is known
  std::optional<EmStep> step{};  ///< of an EM that learns from rows
  /// In [0, 1], if it is known: of a source that has been read, of candidates and fits the part of
  /// the work, as far as that can be foreseen; it grows within one of them, too.
  std::optional<double> share{};
};

/// How a call works, which changes nothing of its result.
struct Control {
  int threads = 1;
  /// Called between chunks of rows, iterations, candidates or fits, and now and then within them,
  /// in order and one at a time, but perhaps on another thread. False ends the call: it throws
  /// Error (stopped) and has changed nothing.
  std::function<bool(const Progress&)> progress{};
};

}  // namespace genera
