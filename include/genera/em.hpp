#pragma once

#include <memory>
#include <string>

#include <genera/control.hpp>
#include <genera/fit.hpp>
#include <genera/observed.hpp>

/// EM over partitions of rows that never meet. The rows of a partition stay where they are; sums
/// and models travel, in memory or as bytes (genera/io.hpp):
///
///     each partition   observe(rows, recipe)             -> ObservedStatistics, to be merged
///     everywhere       EmPlan(merged, recipe)
///     each partition   EmRows(plan, rows).complete()     -> ExpectedSums, to be merged
///     driver           Em(plan, merged)
///     while !em.done()
///       each partition rows.expect(em.model())           -> ExpectedSums, to be merged
///       driver         em.accept(merged)
///     each partition   rows.patterns(em.model())         -> PatternSums, to be merged
///     driver           em.result(merged)
///
/// A mixture is an EM whose rows have no label: make the statistics of rows labelled by their group
/// in a start, such as k-means, and the plan with `unlabelled_weight` 1; then give `EmRows` the
/// same rows without labels. A component that collapses is an Error (bad_model).
///
/// Merge in the order of the partitions: the same partitions then give the same bits in each run
/// and for any number of threads. Dividing the rows in another way changes rounding only. Of
/// `Control` only the threads are used.
namespace genera {

/// The sums of rows with a weight above 0 that EM starts from, on several threads. Throws Error
/// (bad_data) on an infinite number, a negative count, and a weight that is negative or not finite;
/// Error (bad_argument) for recipes that EM cannot learn from partitions: mixtures, and full
/// covariances of a sparse matrix.
[[nodiscard]] ObservedStatistics observe(const Rows& rows, const Recipe& recipe,
                                         const FitOptions& options = {},
                                         const Control& control = {});

/// What an EM is about: classes, columns, levels, terms, and the model it starts from. A function
/// of its arguments: each worker makes the same plan of the same statistics, recipe and options.
/// Copies share their contents.
class EmPlan {
 public:
  /// `observed`: of all partitions. Throws Error (bad_data) if a class has no value in a column or
  /// no row has a label; Error (bad_model) if a covariance of the start is singular or no column is
  /// left.
  EmPlan(const ObservedStatistics& observed, const Recipe& recipe, const FitOptions& options = {},
         const Control& control = {});

  /// The available-case estimate.
  [[nodiscard]] const Model& start() const;
  /// Differs between plans of different statistics; sums carry the key of their plan.
  [[nodiscard]] const std::string& key() const;

  struct State;  ///< of the library
  [[nodiscard]] const std::shared_ptr<State>& state() const { return state_; }

 private:
  std::shared_ptr<State> state_;
};

/// What rows hold under a model, where everything latent counts with its expectation. Additive; the
/// empty one is the identity of `merge`.
class ExpectedSums {
 public:
  ExpectedSums();
  ExpectedSums(ExpectedSums&&) noexcept;
  ExpectedSums& operator=(ExpectedSums&&) noexcept;
  ~ExpectedSums();

  /// Throws Error (bad_argument) if the sums belong to different plans.
  void merge(const ExpectedSums& other);

  [[nodiscard]] bool empty() const { return !state_; }
  [[nodiscard]] double log_likelihood() const;  ///< of the observed values, with weights
  [[nodiscard]] double weight() const;          ///< of the rows

  struct State;  ///< of the library
  explicit ExpectedSums(std::unique_ptr<State> state);
  [[nodiscard]] State* state() const { return state_.get(); }

 private:
  std::unique_ptr<State> state_;
};

/// How much rows say of each class, by the columns they have: what the last step needs for the
/// effective counts of covariances. Additive; the empty one is the identity of `merge`.
class PatternSums {
 public:
  PatternSums();
  PatternSums(PatternSums&&) noexcept;
  PatternSums& operator=(PatternSums&&) noexcept;
  ~PatternSums();

  /// Throws Error (bad_argument) if the sums belong to different plans.
  void merge(const PatternSums& other);
  [[nodiscard]] bool empty() const { return !state_; }

  struct State;  ///< of the library
  explicit PatternSums(std::unique_ptr<State> state);
  [[nodiscard]] State* state() const { return state_.get(); }

 private:
  std::unique_ptr<State> state_;
};

/// The rows of one partition, prepared once. Rows without a label count as the options of the plan
/// say. The same bits for any number of threads.
class EmRows {
 public:
  /// The rows must outlive it. Throws Error (bad_data) if they lack a column of the plan or have a
  /// class that the plan does not know.
  EmRows(const EmPlan& plan, const Rows& rows, const Control& control = {});
  EmRows(EmRows&&) noexcept;
  EmRows& operator=(EmRows&&) noexcept;
  ~EmRows();

  /// The sums of what is not latent, for the driver.
  [[nodiscard]] ExpectedSums complete() const;
  /// The E-step. Throws Error (bad_argument) if the model does not belong to the plan.
  [[nodiscard]] ExpectedSums expect(const Model& model) const;
  /// For the last step; see Em::result.
  [[nodiscard]] PatternSums patterns(const Model& model) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The driver: maximum likelihood of what is observed, as a state machine. It extrapolates every
/// third step (SQUAREM) and takes back a step that lowers the likelihood; a covariance that would
/// collapse gets a weak prior, and EM starts again.
class Em {
 public:
  /// `complete`: of all partitions. Throws Error (bad_argument) if it belongs to another plan.
  Em(EmPlan plan, ExpectedSums complete, const Control& control = {});
  Em(Em&&) noexcept;
  Em& operator=(Em&&) noexcept;
  ~Em();

  /// The model whose expected sums are needed next; once done, the fitted one.
  [[nodiscard]] const Model& model() const;
  [[nodiscard]] bool done() const;
  /// `expected`: of model(), over all partitions. Returns whether the step was accepted; false if
  /// it was rolled back or EM starts again. Throws Error (bad_argument) if the sums belong to
  /// another plan or other rows, or if EM is done; Error (bad_model) on a singular covariance.
  bool accept(ExpectedSums expected);
  /// The last accepted step.
  [[nodiscard]] const EmStep& step() const;

  /// The fitted model and how it was learned, as `fit` returns them. `patterns`: of model(), over
  /// all partitions. Throws Error (bad_argument) unless done, and if the patterns are missing or
  /// belong to another plan.
  [[nodiscard]] Fitted<Model> result(const PatternSums& patterns) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace genera
