#pragma once

#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <genera/figure.hpp>

#include "blocks/normals.hpp"

/// A classifier as a function of the few features that are on the axes.
namespace genera::figure {

/// The features that can be on an axis, in the order of the model. A joint distribution has a
/// density of them: a number that is modelled by its presence only is not among them.
[[nodiscard]] std::vector<std::string> numeric_features(ClassifierRef model);

/// The normal densities behind some features of a model, or of projections of them; empty if a
/// feature has none.
[[nodiscard]] std::vector<blocks::Normal> normals(const Model& model,
                                                  const std::vector<std::string>& names);
/// The same for those who ask often.
class FeatureNormals {
 public:
  /// The model must outlive it.
  explicit FeatureNormals(const Model& model);
  [[nodiscard]] std::vector<blocks::Normal> operator()(const std::vector<std::string>& names) const;

 private:
  const Model* model_;
  std::vector<std::unordered_map<std::string, Index>> columns_;  // of each block, by name
};

/// What is asked at places of a figure.
class Shown {
 public:
  virtual ~Shown() = default;
  /// Scores as classes are compared by, of points (n x axes): n x K.
  [[nodiscard]] virtual Matrix scores(const Matrix& points) const = 0;
  /// log(prior p(x | class)) of the axes.
  [[nodiscard]] virtual Matrix log_joint(const Matrix& points) const = 0;
  /// What became of the other features, in words; empty if there are none.
  [[nodiscard]] virtual std::string about_others() const = 0;
};

/// The model must outlive it.
[[nodiscard]] std::unique_ptr<const Shown> shown(ClassifierRef model,
                                                 const std::vector<std::string>& axes,
                                                 Others others, const Control& control);

/// exp(score - log of the sum of all), row by row; a row of -inf gets `impossible`.
[[nodiscard]] Matrix softmax(const Matrix& scores, const Vector& impossible);

}  // namespace genera::figure
