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
    repeating,  ///< random splits of learning curves
  };
  Task task = Task::reading;
  Index done = 0;                 ///< rows, iterations, candidates or repeats
  std::optional<Index> total{};   ///< if it is known
  std::optional<EmStep> step{};   ///< of an EM that learns from rows
  std::optional<double> share{};  ///< of the source that has been read, if its size is known
};

/// How a call works, which changes nothing of its result.
struct Control {
  int threads = 1;
  /// Called between chunks of rows, iterations, candidates or repeats, in order and one at a time,
  /// but perhaps on another thread. False ends the call: it throws Error (stopped) and has changed
  /// nothing.
  std::function<bool(const Progress&)> progress{};
};

}  // namespace genera
