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

/// Something that was noticed on the way, for people.
struct Note {
  enum class Kind { note, warning };
  Advice text;
  Kind kind = Kind::note;
  friend bool operator==(const Note&, const Note&) = default;
};

/// Its sentence with every option as `word` writes it; a warning begins with "warning: ".
[[nodiscard]] std::string in_words(const Note& note,
                                   const std::function<std::string(const OptionUse&)>& word);
/// In the words of C++.
[[nodiscard]] std::string in_words(const Note& note);

/// How a fit ended; the worst is the last.
enum class Outcome {
  closed_form,      ///< there was nothing to iterate
  converged,        ///< EM stopped moving; Newton's method: the gradient is none
  iteration_limit,  ///< it still moved when it had to stop
  degenerate,       ///< EM had to keep a component from collapsing; Newton's method: without a
                    ///< penalty the classes can be separated, so that there is no minimum
};
[[nodiscard]] std::string_view name_of(Outcome outcome);

/// What EM did, which is used where something is missing and for mixtures.
struct EmCourse {
  int iterations = 0;  ///< of several the longest
  /// Of what is observed, before the first and the last iteration; of mixtures learned class
  /// by class: of the numbers given the class.
  double log_likelihood_first = 0, log_likelihood = 0;
  /// Mean posterior of the likeliest class of the rows without a label, at the same times.
  double certainty_first = 1, certainty = 1;
};

/// What Newton's method did, which softmax regression is learned by.
struct NewtonCourse {
  int iterations = 0;
  double objective = 0;  ///< what it minimises
  /// Its norm, as a part of that at zero coefficients (and the intercepts of the priors).
  double gradient = 0;
};

/// How far evidence can be trusted, as rows say that were held out.
struct Calibration {
  double temperature = 1;                          ///< in [1, 100], see fit_temperature
  double log_loss_before = 0, log_loss_after = 0;  ///< of the rows held out
  Index rows = 0;                                  ///< held out, each once
  Index folds = 0;
};

/// How a fit went: figures for programs, notes for people.
struct Report {
  Outcome outcome = Outcome::closed_form;
  std::optional<EmCourse> em{};          ///< if it was used
  std::optional<NewtonCourse> newton{};  ///< if it was used
  /// Sum of log p(x, y) of the rows learned from, times their weights, where it costs next to
  /// nothing: from sums (numbers and levels) or by EM. Without EM none for counts and texts,
  /// whose coefficients no sum keeps; none for mixtures learned class by class, and for linear
  /// models.
  std::optional<double> training_log_likelihood{};

  Index rows = 0;                             ///< learned from
  Index dropped_rows = 0;                     ///< left out, because a value or the label is missing
  Index unlabelled_rows = 0;                  ///< learned from by EM without a label
  Index unlabelled_left_out = 0;              ///< rows without a label that have no weight
  std::optional<double> unlabelled_weight{};  ///< of rows without a label, if it was chosen
  Index missing_numbers = 0;                  ///< marginalised by EM
  Index missing_cells = 0;  ///< of other columns: left out one by one, which is exact
  std::vector<std::string> columns_left_out{};  ///< they are constant, or have no value
  Index covariances_moved = 0;                ///< singular ones, shrunk toward the pooled variances
  Index variances_raised = 0;                 ///< to the variance floor
  std::vector<std::string> columns_raised{};  ///< those of `gnb` in which that was needed
  Index weak_priors = 0;                      ///< of covariances whose likelihood has no maximum
  std::optional<Calibration> calibration{};   ///< if it was asked for and could be done

  std::vector<Note> notes{};
};

/// `notes` and `warnings`: two lists of sentences.
[[nodiscard]] Facts facts(const std::vector<Note>& notes);
/// Every figure by its name, and the notes. Figures of EM or Newton's method that was not used are
/// those of an empty course.
[[nodiscard]] Facts facts(const Report& report);

/// A model and how it was made: `auto [model, report] = fit(...)`.
template <class M>
struct Fitted {
  M model;
  Report report;
};

}  // namespace genera
