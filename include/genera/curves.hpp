#pragma once

#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <genera/model.hpp>
#include <genera/select.hpp>

/// How the answers of several models improve with the number of rows that they learn from, and
/// from which number on one is better than another: generative against discriminative.
namespace genera {

struct CurveOptions {
  std::vector<Index> sizes{};  ///< numbers of training rows; empty: automatic_sizes
  Index repeats = 100;         ///< random splits into training rows and test rows
  std::uint64_t seed = 1;
  /// Softmax regression takes the best of these by the log loss of folds within each training
  /// sample, where they can tell; empty: the ridge of its recipe.
  Vector ridges{};
  Index folds = 5;  ///< for that
  /// Removes so many of the cells at random, before each split. Joint distributions marginalise
  /// what is missing; linear models get the means (and most frequent categories) of the training
  /// sample. With 0 only cells that are missing anyway are treated so.
  std::optional<double> missing_share{};
  /// em: learn from rows that lack numbers; drop: use complete rows only.
  Missing missing = Missing::em;
  Index max_draws = 100000;  ///< of a sample, until all classes are in it
};
/// Throws Error (bad_argument) on a value out of range.
void validate(const CurveOptions& options);

/// The mean of something over the repeats, and its standard error. Infinite if a value is; with
/// both infinities among the values the mean is 0.
struct Average {
  double mean = 0, se = 0;
};
/// Weighted by `weights`, unless that is empty.
[[nodiscard]] Average average(const Vector& values, const Vector& weights = {});

/// What became of one model with samples of one size. Log-likelihoods are means over rows; the
/// joint ones, log p(x, y), are those of joint distributions. The conditional one of test rows is
/// minus the log loss.
struct CurvePoint {
  Index size = 0;
  Vector errors{};      ///< of each repeat: the share of test rows with another class
  Vector log_losses{};  ///< of each repeat: mean of -log p(y | x) over the test rows
  Average error{}, log_loss{};
  Average training_conditional{};
  std::optional<Average> joint{}, training_joint{};
  Index shrunk = 0;               ///< repeats in which a covariance was singular, and moved
  Index raised = 0;               ///< repeats in which variances were raised to the floor
  Index prior_only = 0;           ///< repeats in which every feature was constant in the sample
  std::optional<double> ridge{};  ///< of softmax regression: the median of the repeats
};

struct LearningCurve {
  std::string name{};
  bool generative = true;
  Index parameters = 0;  ///< free ones, learned from the largest sample of the first repeat
  std::vector<CurvePoint> points{};  ///< by size
};

struct LearningCurves {
  std::vector<std::string> classes{};
  Index rows = 0;  ///< that were divided into training and test rows
  std::vector<Index> sizes{};
  std::vector<Index> redrawn{};         ///< of each size: samples without some class
  std::vector<LearningCurve> curves{};  ///< in the order of the candidates
  std::vector<Note> notes{};

  /// Behind each point.
  [[nodiscard]] Index repeats() const {
    const bool none = curves.empty() || curves[0].points.empty();
    return none ? 0 : std::ssize(curves[0].points[0].errors);
  }
};

/// Numbers 1, 2 or 5 times a power of ten, at least 10 and twice the number of classes, such that
/// every class is likely to be in the smallest sample, at most two thirds of the rows and 2000.
/// Throws Error (bad_data) if there are none.
[[nodiscard]] std::vector<Index> automatic_sizes(const Rows& rows);

/// Learns every candidate from simple random samples of the rows and tests it on all others. A
/// sample that lacks a class is drawn again. The samples of one repeat are nested where chance
/// allows; models in closed form take their statistics from one pass over the largest. Columns that
/// are constant in a sample are ignored, and numeric ones without a value of some class;
/// covariances that are singular there are moved (OnSingular::shrink, whatever the recipe says),
/// and counted. Rows without a label or a weight
/// are left out. All candidates have the same samples. Same bits for any number of threads.
/// Throws Error: bad_argument if there is no candidate, a size leaves no row to test on or is not
/// greater than the number of classes; bad_data if there are fewer than two classes, a class has
/// one row or is too rare for a size, or a linear model would have to learn from what is missing.
[[nodiscard]] LearningCurves learning_curves(const Rows& rows,
                                             const std::vector<Candidate>& candidates,
                                             const CurveOptions& options = {},
                                             const Control& control = {});

/// How uncertain a size is that is read off curves: the repeats are drawn again, with replacement.
struct BootstrapOptions {
  Index resamples = 1000;
  double level = 0.9;  ///< of the interval, in (0, 1)
  std::uint64_t seed = 1;
};

/// A number of training rows, interpolated between the sizes tried on a logarithmic scale.
struct SizeEstimate {
  std::optional<double> size{};         ///< none: not among the sizes tried
  std::optional<double> low{}, high{};  ///< the interval; none: it ends outside of the sizes tried
  double below = 0, above = 0;  ///< shares of the resamples that lie outside of the sizes tried
};

/// Where the curves of two models cross for the last time.
struct Crossing {
  enum class Winner { first, second, none };
  Winner before = Winner::none;  ///< whose mean is lower below the crossing; if there is none: ever
  Winner after = Winner::none;   ///< and above it, up to the largest size
  /// `below`: of the resamples in which `after` is ahead at all sizes; `above`: in which it is not
  /// ahead at the largest.
  SizeEstimate at{};
};
/// Throws Error (bad_argument) if the curves are not of the same sizes and repeats.
[[nodiscard]] Crossing crossing(const LearningCurve& first, const LearningCurve& second,
                                Metric metric = Metric::error,
                                const BootstrapOptions& options = {});

/// By how much the error or the log loss of the first exceeds that of the second, at each size,
/// repeat by repeat: both have learned from the same rows.
[[nodiscard]] std::vector<Average> differences(const LearningCurve& first,
                                               const LearningCurve& second,
                                               Metric metric = Metric::error);

/// How many rows it takes until the mean error is at most `error`.
[[nodiscard]] SizeEstimate rows_needed(const LearningCurve& curve, double error,
                                       const BootstrapOptions& options = {});

/// Data drawn from a known model, of more and more columns.
struct DimensionOptions {
  std::vector<Index> dimensions{};  ///< numbers of columns: the first ones of the model
  double within = 0.02;             ///< distance to the asymptotic error
  Index pool = 20000;               ///< rows that each repeat divides into training and test rows
  Index asymptotic_rows = 50000;    ///< others, from which asymptotic errors are learned
};
struct DimensionCurves {
  Index dimension = 0;
  LearningCurves curves{};
  struct Needed {
    double asymptotic_error = 0;  ///< of what is learned from very many rows, on those of the pool
    SizeEstimate rows{};          ///< to come within the distance
  };
  std::vector<Needed> needed{};  ///< in the order of the candidates
};

/// How many rows each candidate needs as the number of columns grows. Throws Error: bad_argument if
/// a dimension is none of the model's or candidates have rows of their own, bad_model if it makes
/// texts or sparse rows, and as learning_curves does.
[[nodiscard]] std::vector<DimensionCurves> dimension_curves(
    const Model& model, const std::vector<Candidate>& candidates, const DimensionOptions& options,
    const CurveOptions& curves = {}, const Control& control = {});

/// Places among the curves of two that belong together.
struct CurvePair {
  std::size_t generative = 0, discriminative = 0;
};
struct ComparedPair {
  CurvePair of{};
  Crossing errors{}, log_losses{};
  std::vector<Average> error_differences{},
      log_loss_differences{};  ///< generative - discriminative
};

/// Learning curves and what the pairs among them say.
struct Comparison {
  struct Part {
    LearningCurves curves{};
    std::vector<ComparedPair> pairs{};
    std::optional<Index> dimension{};               ///< number of columns of rows that were drawn
    std::vector<DimensionCurves::Needed> needed{};  ///< of rows that were drawn
  };
  std::vector<Part> parts{};  ///< one; of rows that were drawn one for each number of columns
  CurveOptions options{};
  BootstrapOptions bootstrap{};
  std::optional<double> within{};  ///< of rows that were drawn: DimensionOptions::within
  std::vector<Note> notes{};       ///< those of the curves, and what was done to small samples
};
/// The crossings are resampled with the seed of the options.
[[nodiscard]] Comparison compare(LearningCurves curves, const std::vector<CurvePair>& pairs,
                                 const CurveOptions& options);
[[nodiscard]] Comparison compare(std::vector<DimensionCurves> curves,
                                 const std::vector<CurvePair>& pairs, const CurveOptions& options,
                                 double within);
/// All but the notes. Records of rows that were drawn begin with `dimension`.
[[nodiscard]] Facts facts(const Comparison& comparison);

}  // namespace genera
