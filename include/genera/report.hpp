#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <genera/error.hpp>
#include <genera/facts.hpp>
#include <genera/types.hpp>

namespace genera {

/// A message for users about what happened during a call.
struct Note {
  enum class Kind { note, warning };
  Advice text;
  Kind kind = Kind::note;
  friend bool operator==(const Note&, const Note&) = default;
};

/// The text of the note with each option formatted by `word`; warnings begin with "warning: ".
[[nodiscard]] std::string in_words(const Note& note,
                                   const std::function<std::string(const OptionUse&)>& word);
/// The same, with options as C++ assignments.
[[nodiscard]] std::string in_words(const Note& note);

/// How a fit ended, ordered from best to worst.
enum class Outcome {
  closed_form,      ///< no iteration was needed
  converged,        ///< EM reached its limit, or the gradient of Newton's method vanished
  iteration_limit,  ///< stopped by the iteration limit before convergence
  /// EM kept a component from collapsing; Newton's method: the classes are separable and there is
  /// no penalty, so no minimum exists
  degenerate,
};
[[nodiscard]] std::string_view name_of(Outcome outcome);

/// Course of an EM, which is run for missing values, missing labels and mixtures.
struct EmCourse {
  int iterations = 0;  ///< the largest number, if several EMs were run
  /// Log-likelihood of the observed values before the first and the last iteration. For mixtures
  /// learned class by class: of the numbers given the class.
  double log_likelihood_first = 0, log_likelihood = 0;
  /// Mean posterior of the most probable class over rows without a label, at the same two times.
  double certainty_first = 1, certainty = 1;
};

/// Course of Newton's method, which fits softmax regression.
struct NewtonCourse {
  int iterations = 0;
  double objective = 0;  ///< the minimised objective
  /// Norm of the gradient, relative to its norm at zero coefficients (with the intercepts of the
  /// priors).
  double gradient = 0;
};

/// A temperature fitted to held-out rows.
struct Calibration {
  double temperature = 1;                          ///< in [1, 100]; see fit_temperature
  double log_loss_before = 0, log_loss_after = 0;  ///< of the held-out rows
  Index rows = 0;                                  ///< held-out rows, each counted once
  Index folds = 0;
};

/// How a fit went: numbers for programs, notes for users.
struct Report {
  Outcome outcome = Outcome::closed_form;
  std::optional<EmCourse> em{};          ///< if EM was run
  std::optional<NewtonCourse> newton{};  ///< if Newton's method was run
  /// Sum of log p(x, y) over the training rows, times their weights, if it needs no extra pass:
  /// from sums (numbers and levels) or by EM. Empty without EM for counts and texts, whose
  /// multinomial coefficients are not summed; empty for mixtures learned class by class and for
  /// linear models.
  std::optional<double> training_log_likelihood{};

  Index rows = 0;             ///< training rows
  Index dropped_rows = 0;     ///< rows left out because a value or the label is missing
  Index unlabelled_rows = 0;  ///< rows without a label that EM used
  /// rows without a label that were left out because their weight is 0
  Index unlabelled_left_out = 0;
  std::optional<double> unlabelled_weight{};  ///< weight of rows without a label, if it was chosen
  Index missing_numbers = 0;                  ///< missing numbers, marginalised by EM
  Index missing_cells = 0;  ///< missing cells of other columns; each is left out, which is exact
  std::vector<std::string> columns_left_out{};  ///< columns that are constant or have no value
  /// singular covariances that were shrunk towards the pooled variances
  Index covariances_moved = 0;
  Index variances_raised = 0;                 ///< variances raised to the variance floor
  std::vector<std::string> columns_raised{};  ///< columns of `gnb` with such variances
  Index weak_priors = 0;  ///< weak priors on covariances whose likelihood has no maximum
  std::optional<Calibration> calibration{};  ///< if requested and possible

  std::vector<Note> notes{};
};

/// `notes` and `warnings`: two lists of sentences.
[[nodiscard]] Facts facts(const std::vector<Note>& notes);
/// All members by name, and the notes. If EM or Newton's method was not run, its values are those
/// of an empty course.
[[nodiscard]] Facts facts(const Report& report);

/// A model and the report of its fit: `auto [model, report] = fit(...)`.
template <class M>
struct Fitted {
  M model;
  Report report;
};

}  // namespace genera
