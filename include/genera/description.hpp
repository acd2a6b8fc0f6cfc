#pragma once

#include <optional>
#include <string>
#include <vector>

#include <genera/block_description.hpp>
#include <genera/classifier.hpp>
#include <genera/report.hpp>

/// Description of a model as data, independent of the kinds of its blocks.
namespace genera {

/// Number of free parameters of one kind, such as "means" or "coefficients".
struct ParameterGroup {
  std::string name;
  Index count = 0;
  friend bool operator==(const ParameterGroup&, const ParameterGroup&) = default;
};

struct Description {
  std::vector<BlockDescription> blocks{};  ///< one for a linear model
  /// Discriminant functions, with log priors and divided by the temperature: the largest score
  /// determines the class. Empty unless each block is linear.
  std::optional<LinearScores> discriminants{};
  std::vector<ParameterGroup> parameters{};
};
/// Throws Error (bad_model) for a committee: describe its members.
[[nodiscard]] Description describe(ClassifierRef model);

/// Names of the features, in the order of the model.
[[nodiscard]] std::vector<std::string> feature_names(ClassifierRef model);
/// Columns of one block of a model; all columns of a linear model.
[[nodiscard]] std::vector<std::string> columns_of_block(ClassifierRef model, std::size_t block);
/// Weight of the training rows of each class; empty if the parameters were given.
[[nodiscard]] Vector class_counts(ClassifierRef model);

/// Likelihood of the training rows.
struct TrainingFit {
  double log_likelihood = 0;  ///< sum of log p(x, y)
  Index parameters = 0;       ///< number of free parameters
  double rows = 0;            ///< number of rows, or their weight

  [[nodiscard]] double aic() const;  ///< 2 parameters - 2 log_likelihood
  [[nodiscard]] double bic() const;  ///< parameters log rows - 2 log_likelihood
};
/// Empty if the report has no training log-likelihood.
[[nodiscard]] std::optional<TrainingFit> training_fit(const Fitted<Classifier>& fitted);
[[nodiscard]] Facts facts(const TrainingFit& training);

/// All properties of a model at full precision, as printed by `genera inspect --json`.
[[nodiscard]] Facts facts(ClassifierRef model, const std::optional<TrainingFit>& training = {});

/// Mean and covariance of the marginal p(x) over the numeric and independent count columns, by the
/// law of total covariance: the mean of the class covariances plus the covariance of the class
/// means. Empty if there are no such columns or squares of the means overflow.
/// overflow.
struct MarginalMoments {
  std::vector<std::string> columns{};  ///< d
  Vector mean{};
  Matrix covariance{};  ///< d x d
  Matrix means{};       ///< K x d: class means
  Matrix within{};      ///< d x d: mean of the class covariances
};
[[nodiscard]] std::optional<MarginalMoments> marginal_moments(const Model& model);

/// Points where two classes have equal posteriors: intercept + sum_j coefficient_j x_j = 0, in the
/// units of the columns. The sum is the log odds of the first class.
struct Boundary {
  Index first = 0, second = 0;  ///< indices of the classes
  double intercept = 0;
  Vector coefficients{};
};
struct Boundaries {
  std::vector<std::string> features{};  ///< columns; levels (1 in cells that have it, "a=x"); terms
  std::vector<Boundary> pairs{};        ///< all pairs of classes, in order
};
/// Boundaries of models with linear scores: lda, dlda, centroid, logistic, complement, and naive
/// models of discrete columns. Throws Error (bad_model) with the reason if the scores of this model
/// are not linear; if a probability is 0; or if there is only one class.
[[nodiscard]] Boundaries boundaries(ClassifierRef model);
/// `classes`: class names of the model.
[[nodiscard]] Facts facts(const Boundaries& boundaries, const std::vector<std::string>& classes);

}  // namespace genera
