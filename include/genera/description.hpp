#pragma once

#include <optional>
#include <string>
#include <vector>

#include <genera/block_description.hpp>
#include <genera/classifier.hpp>
#include <genera/report.hpp>

/// What a model says of itself, as data: code that prints it need not know what kinds of blocks
/// there are.
namespace genera {

/// So many free parameters of a sort: "means", "coefficients".
struct ParameterGroup {
  std::string name;
  Index count = 0;
  friend bool operator==(const ParameterGroup&, const ParameterGroup&) = default;
};

struct Description {
  std::vector<BlockDescription> blocks{};  ///< of a linear model one
  /// Log prior included, and divided by the temperature as posteriors are: the largest score names
  /// the class. Only if each block is linear.
  std::optional<LinearScores> discriminants{};
  std::vector<ParameterGroup> parameters{};
};
[[nodiscard]] Description describe(ClassifierRef model);

/// The names of the features, in the order of the model.
[[nodiscard]] std::vector<std::string> feature_names(ClassifierRef model);
/// The columns of one block of a model; of a linear one all.
[[nodiscard]] std::vector<std::string> columns_of_block(ClassifierRef model, std::size_t block);
/// The weights of the rows behind each class; empty if the parameters were given by hand.
[[nodiscard]] Vector class_counts(ClassifierRef model);

/// How well a model describes the rows it learned from.
struct TrainingFit {
  double log_likelihood = 0;  ///< sum of log p(x, y)
  Index parameters = 0;       ///< free ones
  double rows = 0;            ///< or their weight

  [[nodiscard]] double aic() const;  ///< 2 parameters - 2 log_likelihood
  [[nodiscard]] double bic() const;  ///< parameters log rows - 2 log_likelihood
};
/// Nothing if the report has no training log-likelihood.
[[nodiscard]] std::optional<TrainingFit> training_fit(const Fitted<Classifier>& fitted);
[[nodiscard]] Facts facts(const TrainingFit& training);

/// Everything about a model at full precision, as `genera inspect --json` prints it.
[[nodiscard]] Facts facts(ClassifierRef model, const std::optional<TrainingFit>& training = {});

/// Mean and covariance of p(x) itself, whatever the class, over the columns of numbers and of
/// independent counts: the mean of the covariances of the classes and the covariance of their means
/// (the law of total covariance). Nothing if there are no such columns, or if squares of the means
/// overflow.
struct MarginalMoments {
  std::vector<std::string> columns{};  ///< d
  Vector mean{};
  Matrix covariance{};  ///< d x d
  Matrix means{};       ///< K x d: of the classes
  Matrix within{};      ///< d x d: the mean of their covariances
};
[[nodiscard]] std::optional<MarginalMoments> marginal_moments(const Model& model);

/// Where a model is as sure of one class as of another: intercept + sum_j coefficient_j x_j = 0,
/// in the units of the columns. The sum is the log odds of the first class.
struct Boundary {
  Index first = 0, second = 0;  ///< places among the classes
  double intercept = 0;
  Vector coefficients{};
};
struct Boundaries {
  std::vector<std::string> features{};  ///< columns; levels, 1 where a cell has it ("a=x"); terms
  std::vector<Boundary> pairs{};        ///< of any two classes, in order
};
/// Of models whose scores are linear: lda, dlda, centroid, logistic, complement, and what is
/// counted naively. Throws Error (bad_model) if those of this one are not, saying why; if a
/// probability is 0; or if there is only one class.
[[nodiscard]] Boundaries boundaries(ClassifierRef model);
/// `classes`: those of the model.
[[nodiscard]] Facts facts(const Boundaries& boundaries, const std::vector<std::string>& classes);

}  // namespace genera
