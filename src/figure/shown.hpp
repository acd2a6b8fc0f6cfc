#pragma once

#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <genera/figure.hpp>

#include "blocks/normals.hpp"

/// A classifier as a function of the few features on the axes.
namespace genera::figure {

/// Normal densities of some features of a model, or of projections; empty if a feature has none.
[[nodiscard]] std::vector<blocks::Normal> normals(const Model& model,
                                                  const std::vector<std::string>& names);
/// The same for repeated calls.
class FeatureNormals {
 public:
  /// The model must outlive it.
  explicit FeatureNormals(const Model& model);
  [[nodiscard]] std::vector<blocks::Normal> operator()(const std::vector<std::string>& names) const;

 private:
  const Model* model_;
  std::vector<std::unordered_map<std::string, Index>> columns_;  // of each block, by name
};

/// Values of a classifier at the places of a figure.
class Shown {
 public:
  virtual ~Shown() = default;
  /// Scores that determine the class, for points (n x axes): n x K.
  [[nodiscard]] virtual Matrix scores(const Matrix& points) const = 0;
  /// log(prior p(x | class)) over the axes.
  [[nodiscard]] virtual Matrix log_joint(const Matrix& points) const = 0;
  /// Sentence about the features that are not shown; empty if there are none.
  [[nodiscard]] virtual std::string about_others() const = 0;
};

/// The model must outlive it.
[[nodiscard]] std::unique_ptr<const Shown> shown(ClassifierRef model,
                                                 const std::vector<std::string>& axes,
                                                 Others others, const Control& control);

/// exp(score - log-sum of all scores), by row; rows of -inf become `impossible`.
[[nodiscard]] Matrix softmax(const Matrix& scores, const Vector& impossible);

}  // namespace genera::figure
