#pragma once

#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <genera/model.hpp>
#include <genera/select.hpp>

/// Learning curves of several models, and the number of training rows from which one is better than
/// another: generative against discriminative.
namespace genera {

struct CurveOptions {
  std::vector<Index> sizes{};  ///< numbers of training rows; empty: automatic_sizes
  Index repeats = 100;         ///< random splits into training and test rows
  std::uint64_t seed = 1;
  /// Softmax regression uses the ridge with the lowest log loss in folds of each training sample,
  /// if they can distinguish; empty: the ridge of its recipe.
  Vector ridges{};
  Index folds = 5;  ///< folds for choosing the ridge
  /// Fraction of cells to remove at random before each split. Joint distributions marginalise
  /// missing values; linear models get the means (and most frequent categories) of the training
  /// sample. With 0, only cells that are missing in the data are treated in this way.
  std::optional<double> missing_share{};
  /// em: learn from rows with missing numbers; drop: from complete rows only.
  Missing missing = Missing::em;
  Index max_draws = 100000;  ///< draws of a sample until it contains all classes
};
/// Throws Error (bad_argument) on a value out of range.
void validate(const CurveOptions& options);

/// Mean over the repeats and its standard error. Infinite if a value is; 0 if values of both
/// infinities occur.
struct Average {
  double mean = 0, se = 0;
};
/// Weighted by `weights` unless empty.
[[nodiscard]] Average average(const Vector& values, const Vector& weights = {});

/// Results of one model with training samples of one size. Log-likelihoods are means over rows;
/// joint ones, log p(x, y), exist for joint distributions only. The conditional log-likelihood of
/// test rows is minus the log loss.
struct CurvePoint {
  Index size = 0;
  Vector errors{};      ///< error rate on the test rows, for each repeat
  Vector log_losses{};  ///< mean of -log p(y | x) over the test rows, for each repeat
  Average error{}, log_loss{};
  Average training_conditional{};
  std::optional<Average> joint{}, training_joint{};
  Index shrunk = 0;               ///< repeats in which a singular covariance was shrunk
  Index raised = 0;               ///< repeats in which variances were raised to the floor
  Index prior_only = 0;           ///< repeats in which every feature was constant in the sample
  std::optional<double> ridge{};  ///< softmax regression: median over the repeats
};

struct LearningCurve {
  std::string name{};
  bool generative = true;
  Index parameters = 0;  ///< free parameters, for the largest sample of the first repeat
  std::vector<CurvePoint> points{};  ///< by size
};

struct LearningCurves {
  std::vector<std::string> classes{};
  Index rows = 0;  ///< rows that were split into training and test rows
  std::vector<Index> sizes{};
  std::vector<Index> redrawn{};         ///< for each size: samples without some class
  std::vector<LearningCurve> curves{};  ///< in the order of the candidates
  std::vector<Note> notes{};

  /// Number of repeats of each point.
  [[nodiscard]] Index repeats() const {
    const bool none = curves.empty() || curves[0].points.empty();
    return none ? 0 : std::ssize(curves[0].points[0].errors);
  }
};

/// Numbers 1, 2 or 5 times a power of ten, at least 10 and twice the number of classes, such that
/// the smallest sample probably contains every class; at most two thirds of the rows and 2000.
/// Throws Error (bad_data) if there are none.
[[nodiscard]] std::vector<Index> automatic_sizes(const Rows& rows);

/// Trains every candidate on simple random samples of the rows and tests it on all others. A sample
/// without some class is drawn again. The samples of one repeat are nested where possible; models
/// in closed form take their statistics from one pass over the largest. Columns that are constant
/// in a sample are ignored, and so are numeric columns without a value in some class; covariances
/// that are singular there are shrunk (OnSingular::shrink, whatever the recipe contains) and
/// counted. Rows without a label or weight are left out. All candidates use the same samples. Same
/// bits for any number of threads. Throws Error: bad_argument if there is no candidate, a size
/// leaves no test row or is not greater than the number of classes; bad_data if there are fewer
/// than two classes, a class has one row or is too rare for a size, or a linear model would have to
/// learn from missing values.
[[nodiscard]] LearningCurves learning_curves(const Rows& rows,
                                             const std::vector<Candidate>& candidates,
                                             const CurveOptions& options = {},
                                             const Control& control = {});

/// Bootstrap of a size estimated from learning curves: repeats are resampled with replacement.
struct BootstrapOptions {
  Index resamples = 1000;
  double level = 0.9;  ///< of the interval, in (0, 1)
  std::uint64_t seed = 1;
};

/// A number of training rows, interpolated between the tested sizes on a logarithmic scale.
struct SizeEstimate {
  std::optional<double> size{};  ///< empty: outside of the tested sizes
  /// the interval; empty: that end lies outside of the tested sizes
  std::optional<double> low{}, high{};
  double below = 0, above = 0;  ///< fractions of the resamples outside of the tested sizes
};

/// The last crossing of the learning curves of two models.
struct Crossing {
  enum class Winner { first, second, none };
  /// model with the lower mean below the crossing; without a crossing: everywhere
  Winner before = Winner::none;
  Winner after = Winner::none;  ///< model with the lower mean above it, up to the largest size
  /// `below`: fraction of resamples in which `after` is better at all sizes; `above`: in which it
  /// is not better at the largest.
  SizeEstimate at{};
};
/// Throws Error (bad_argument) if the curves differ in sizes or repeats.
[[nodiscard]] Crossing crossing(const LearningCurve& first, const LearningCurve& second,
                                Metric metric = Metric::error,
                                const BootstrapOptions& options = {});

/// Error or log loss of the first model minus that of the second, at each size, paired by repeat:
/// both were trained on the same rows.
[[nodiscard]] std::vector<Average> differences(const LearningCurve& first,
                                               const LearningCurve& second,
                                               Metric metric = Metric::error);

/// Number of rows at which the mean error is at most `error`.
[[nodiscard]] SizeEstimate rows_needed(const LearningCurve& curve, double error,
                                       const BootstrapOptions& options = {});

/// Rows drawn from a known model with an increasing number of columns.
struct DimensionOptions {
  std::vector<Index> dimensions{};  ///< numbers of columns; the first columns of the model are used
  double within = 0.02;             ///< distance to the asymptotic error
  Index pool = 20000;               ///< rows that each repeat splits into training and test rows
  Index asymptotic_rows = 50000;    ///< further rows, for the asymptotic errors
};
struct DimensionCurves {
  Index dimension = 0;
  LearningCurves curves{};
  struct Needed {
    /// of a model trained on the asymptotic rows, on the rows of the pool
    double asymptotic_error = 0;
    SizeEstimate rows{};  ///< rows to come within `within` of it
  };
  std::vector<Needed> needed{};  ///< in the order of the candidates
};

/// Number of rows that each candidate needs as the number of columns grows. Throws Error:
/// bad_argument if a dimension is not possible with the model or candidates have rows of their own,
/// bad_model if the model generates texts or sparse rows, and as learning_curves does.
[[nodiscard]] std::vector<DimensionCurves> dimension_curves(
    const Model& model, const std::vector<Candidate>& candidates, const DimensionOptions& options,
    const CurveOptions& curves = {}, const Control& control = {});

/// Indices of the two curves of a pair.
struct CurvePair {
  std::size_t generative = 0, discriminative = 0;
};
struct ComparedPair {
  CurvePair of{};
  Crossing errors{}, log_losses{};
  std::vector<Average> error_differences{},
      log_loss_differences{};  ///< generative - discriminative
};

/// Learning curves and the comparison of their pairs.
struct Comparison {
  struct Part {
    LearningCurves curves{};
    std::vector<ComparedPair> pairs{};
    std::optional<Index> dimension{};               ///< number of columns, if rows were drawn
    std::vector<DimensionCurves::Needed> needed{};  ///< if rows were drawn
  };
  std::vector<Part> parts{};  ///< one; if rows were drawn, one for each number of columns
  CurveOptions options{};
  BootstrapOptions bootstrap{};
  std::optional<double> within{};  ///< DimensionOptions::within, if rows were drawn
  std::vector<Note> notes{};       ///< of the curves, and about changes to small samples
};
/// Crossings are resampled with the seed of the options.
[[nodiscard]] Comparison compare(LearningCurves curves, const std::vector<CurvePair>& pairs,
                                 const CurveOptions& options);
[[nodiscard]] Comparison compare(std::vector<DimensionCurves> curves,
                                 const std::vector<CurvePair>& pairs, const CurveOptions& options,
                                 double within);
/// Everything but the notes. If rows were drawn, records begin with `dimension`.
[[nodiscard]] Facts facts(const Comparison& comparison);

}  // namespace genera
